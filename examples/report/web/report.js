// Draws the charts from the numbers of the page, in the colours of its style sheet.
(function () {
  const holder = document.getElementById("data");
  if (!holder) return;
  const data = JSON.parse(holder.textContent);
  const drawn = [];

  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axis = (title, more) => Object.assign({
    title: { display: true, text: title, color: color("--quiet") },
    ticks: { color: color("--quiet") }, grid: { color: color("--faint") }, border: { color: color("--line") },
  }, more);
  const money = { beginAtZero: true, grace: "5%", ticks: { color: color("--quiet"), maxTicksLimit: 6 } };
  const options = (x, y, label) => ({
    responsive: true, maintainAspectRatio: false, animation: false,
    scales: { x, y },
    plugins: { legend: { display: false }, tooltip: { displayColors: false, callbacks: { label } } },
  });
  const bars = (id, points, title) => new Chart(id, {
    type: "bar",
    data: { labels: points.map(p => p.label), datasets: [{ data: points.map(p => p.value), backgroundColor: color("--one") }] },
    options: options(axis(title, { grid: { display: false } }), axis("$ for each $ of budget", money),
      c => "$" + c.parsed.y.toFixed(2) + ", median of " + points[c.dataIndex].films + " films"),
  });
  const ten = v => Number.isInteger(Math.log10(v)); // a power of ten
  const log = (title, values) => axis(title, {
    type: "logarithmic",
    min: 10 ** Math.floor(Math.log10(Math.min(...values, 1))), max: 10 ** Math.ceil(Math.log10(Math.max(...values, 1))),
    ticks: { color: color("--quiet"), maxRotation: 0, callback: v => ten(v) ? v.toLocaleString("en") : "" },
    grid: { color: c => ten(c.tick.value) ? color("--faint") : "transparent" },
  });
  // Years have ticks at each fifth, unless there are few.
  const yearly = points => ({ color: color("--quiet"), maxRotation: 0, autoSkip: false, callback: (v, i) => points.length < 12 || points[i].label % 5 === 0 ? points[i].label : null });

  function draw() {
    while (drawn.length) drawn.pop().destroy();
    Chart.defaults.color = color("--text");
    drawn.push(new Chart("years", {
      type: "line",
      data: {
        labels: data.years.map(p => p.label),
        datasets: [{ data: data.years.map(p => p.value), borderColor: color("--one"), backgroundColor: color("--one"), borderWidth: 2, pointRadius: data.years.length > 1 ? 1 : 4, pointHitRadius: 12 }],
      },
      options: options(axis("year of release", { grid: { display: false }, ticks: yearly(data.years) }), axis("$ billion", money),
        c => "$" + c.parsed.y.toFixed(2) + " billion, " + data.years[c.dataIndex].films + " films"),
    }));
    drawn.push(bars("genres", data.genres || [], "genre"));
    drawn.push(bars("ratings", data.ratings || [], "IMDB rating, from … to the next"));
    const spent = data.spent || [];
    const most = Math.max(...spent.map(f => f.budget), 1), least = Math.min(...spent.map(f => f.budget), 1);
    const scatter = options(log("budget, $ million", spent.map(f => f.budget)), log("worldwide gross, $ million", spent.map(f => f.gross)),
      c => c.raw.title === undefined ? "gross = budget" : c.raw.title + " (" + c.raw.year + "): $" + c.raw.budget.toFixed(1) + " million, earned $" + c.raw.gross.toFixed(1) + " million");
    scatter.plugins.legend = { display: true, labels: { usePointStyle: true, color: color("--text") } };
    drawn.push(new Chart("spent", {
      type: "scatter",
      data: {
        datasets: [
          { label: "a film", data: spent.map(f => Object.assign({ x: f.budget, y: f.gross }, f)), backgroundColor: color("--one") + "99", pointRadius: 3 },
          { label: "gross = budget", type: "line", data: [{ x: least, y: least }, { x: most, y: most }], borderColor: color("--two"), backgroundColor: color("--two"), borderWidth: 2, pointRadius: 0, pointStyle: "line" },
        ],
      },
      options: scatter,
    }));
  }

  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // The arrow keys go from one point of a chart to the next and show what it is.
  for (const canvas of document.querySelectorAll("canvas")) {
    let at = -1;
    canvas.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const chart = Chart.getChart(canvas);
      if (!step || !chart) return;
      const points = chart.getDatasetMeta(0).data;
      at = (at + step + points.length) % points.length;
      const active = [{ datasetIndex: 0, index: at }];
      chart.setActiveElements(active);
      chart.tooltip.setActiveElements(active, points[at].getProps(["x", "y"]));
      chart.update();
      event.preventDefault();
    });
    canvas.addEventListener("blur", () => {
      const chart = Chart.getChart(canvas);
      at = -1;
      if (chart) { chart.setActiveElements([]); chart.tooltip.setActiveElements([], { x: 0, y: 0 }); chart.update(); }
    });
  }
})();
