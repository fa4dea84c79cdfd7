// The page: every chart and the rows, from the one block of numbers.

const data = JSON.parse(document.getElementById('data').textContent);
document.querySelectorAll('.chart').forEach((host) => chart(host, data.charts[host.dataset.chart]));
if (data.rows && data.rows.at.length) document.querySelectorAll('.rows').forEach((host) => rows(host, data.rows));
