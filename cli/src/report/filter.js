const field = document.getElementById("filter");
if (field) {
  const rows = [...document.getElementById("hosts").rows];
  const texts = rows.map(row => (row.cells[1].textContent + " " + row.cells[2].textContent).toLowerCase());
  const left = document.getElementById("left");
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    let count = 0;
    rows.forEach((row, number) => {
      row.hidden = !texts[number].includes(wanted);
      count += !row.hidden;
    });
    left.textContent = wanted ? count.toLocaleString("en") + " of " + rows.length.toLocaleString("en") : "";
  });
}
