//! Glyphs of a page with their places, and the geometry of both.

use std::ops::Range;

/// Glyph that is shown: its text is a range of the page's.
#[derive(Clone, Debug)]
pub(super) struct ShownGlyph {
    pub(super) text: Range<u32>,
    /// Where its baseline begins and ends, in the units of the page.
    pub(super) from: Point,
    pub(super) to: Point,
    /// Size of its font in the units of the page.
    pub(super) size: f32,
}

/// Glyphs of a page in the order in which they are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct PageGlyphs {
    pub(super) text: String,
    pub(super) glyphs: Vec<ShownGlyph>,
}

impl PageGlyphs {
    pub(super) fn text_of(&self, glyph: &ShownGlyph) -> &str {
        self.text.get(glyph.text.start as usize..glyph.text.end as usize).unwrap_or_default()
    }
}

/// Line of text.
#[derive(Clone, Debug, Default)]
pub(super) struct TextLine {
    pub(super) text: String,
    /// Number of a glyph, and the offset of its text.
    pub(super) glyphs: Vec<(usize, usize)>,
    pub(super) from: Point,
    pub(super) to: Point,
    pub(super) size: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) y: f32,
}

impl Point {
    pub(super) fn minus(self, other: Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }

    pub(super) fn dot(self, other: Point) -> f32 {
        self.x * other.x + self.y * other.y
    }

    pub(super) fn cross(self, other: Point) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// Returns the direction; to the right for a point without one.
    pub(super) fn direction(self) -> Point {
        let length = self.dot(self).sqrt();
        match length > 1e-6 {
            true => Point { x: self.x / length, y: self.y / length },
            false => Point { x: 1.0, y: 0.0 },
        }
    }
}

/// Transformation of the plane (ISO 32000-2 §8.3.3).
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneMatrix(pub(super) [f64; 6]);

impl PlaneMatrix {
    pub(super) const IDENTITY: PlaneMatrix = PlaneMatrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Returns the transformation by this one, then by another one.
    pub(super) fn then(self, outer: PlaneMatrix) -> PlaneMatrix {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, outer.0);
        PlaneMatrix([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    pub(super) fn moved(x: f64, y: f64) -> PlaneMatrix {
        PlaneMatrix([1.0, 0.0, 0.0, 1.0, x, y])
    }

    pub(super) fn point(self, x: f64, y: f64) -> Point {
        let [a, b, c, d, e, f] = self.0;
        Point { x: (a * x + c * y + e) as f32, y: (b * x + d * y + f) as f32 }
    }
}

/// Rectangle, or the smallest one around other points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    low: Point,
    high: Point,
}

impl Area {
    pub(super) fn around(numbers: &[f64]) -> Option<Area> {
        let mut points =
            numbers.chunks_exact(2).map(|pair| Point { x: pair[0] as f32, y: pair[1] as f32 });
        let first = points.next()?;
        let area = points.fold(Area { low: first, high: first }, |area, point| Area {
            low: Point { x: area.low.x.min(point.x), y: area.low.y.min(point.y) },
            high: Point { x: area.high.x.max(point.x), y: area.high.y.max(point.y) },
        });
        Some(area)
    }

    /// Returns `true` if the middle of a glyph is inside.
    pub(super) fn has(&self, glyph: &ShownGlyph) -> bool {
        let along = glyph.to.minus(glyph.from);
        let up = along.direction();
        // A quarter of the font size above the baseline.
        let (x, y) = (-up.y * glyph.size / 4.0, up.x * glyph.size / 4.0);
        let middle =
            Point { x: glyph.from.x + along.x / 2.0 + x, y: glyph.from.y + along.y / 2.0 + y };
        (self.low.x..=self.high.x).contains(&middle.x)
            && (self.low.y..=self.high.y).contains(&middle.y)
    }
}
