"""Shapes are as long as they are asked to be, and their names tell them apart: `python3 -m unittest discover benches/instructions`."""

import unittest

import shapes

# What a shape has around what grows.
AROUND = 400


class Shapes(unittest.TestCase):
    def test_lengths(self):
        for name, _, _, make in shapes.shapes():
            for size in (1000, 4000):
                self.assertTrue(size <= len(make(size)) <= size + AROUND, f"{name}: {len(make(size))} for {size}")

    def test_texts(self):
        for name, road, _, make in shapes.shapes():
            if road != "opened":
                make(1000).decode()

    def test_fronts(self):
        for name, _, _, dear, plain in shapes.fronts():
            self.assertNotEqual(dear(1000), plain(1000), name)

    def test_holders(self):
        for name, _, _, deep, flat in shapes.holders():
            self.assertEqual(sorted(deep(1000)), sorted(flat(1000)), name)
            self.assertNotEqual(deep(1000), flat(1000), name)

    def test_commands(self):
        for name, _, file, make in shapes.commands():
            self.assertTrue(make(4000), name)
            if not file:
                make(4000).decode()

    def test_names(self):
        for made in (shapes.shapes(), shapes.fronts(), shapes.commands()):
            named = [shape[:3] for shape in made]
            twice = {one for one in named if named.count(one) > 1} if len(named) != len(set(named)) else set()
            self.assertFalse(twice)


if __name__ == "__main__":
    unittest.main()
