// The page: draws every chart and the rows from the block of numbers.

const data = JSON.parse(document.getElementById('data').textContent);
for (const host of document.querySelectorAll('.chart'))
  chart(host, data.charts[host.dataset.chart]);
addEventListener('beforeprint', () => {
  for (const part of document.querySelectorAll('details')) part.open = true; // on paper nothing can be opened
});
if (data.rows && data.rows.at.length) new Rows(document.querySelector('.rows'), data.rows);
