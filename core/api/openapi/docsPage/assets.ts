/** Style of the page at /docs: light and dark, no external fonts or images. */
export const pageStyle = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--get:#2563a8;--post:#2a7d46;--put:#96690c;--delete:#b3362b}
@media (prefers-color-scheme:dark){:root{--get:#7db3ea;--post:#78c893;--put:#dcb45f;--delete:#ec8a81}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.55 system-ui,sans-serif}
header,main{max-width:62rem;margin:0 auto;padding:1rem}
header{position:sticky;top:0;z-index:1;background:Canvas;border-bottom:1px solid var(--line);display:flex;gap:1rem;align-items:baseline;flex-wrap:wrap}
h1{font-size:1.2rem;margin:0}header p{margin:0;flex:1}
h2{margin:2rem 0 0;font-size:1.1rem}h2+p{margin:.2rem 0 .8rem;opacity:.75}
input{font:inherit;padding:.3rem .6rem;border:1px solid var(--line);border-radius:6px;min-width:14rem}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;padding:0 .8rem;scroll-margin-top:5rem}
summary{cursor:pointer;display:flex;gap:.8rem;align-items:baseline;padding:.5rem 0;flex-wrap:wrap}
summary span{opacity:.75}summary b{min-width:4rem}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.delete{color:var(--delete)}
code,pre{font:13px/1.5 ui-monospace,monospace}code{overflow-wrap:anywhere}
pre{background:var(--soft);padding:.7rem;border-radius:6px;overflow:auto}
table{border-collapse:collapse;width:100%;margin:.5rem 0;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
.fact{margin:.4rem 0}
[hidden]{display:none}
`;

/** Filters the entries by the typed text, and opens the entry in the URL fragment. */
export const pageScript = `
const entries = [...document.querySelectorAll('details')];
const texts = entries.map((entry) => entry.firstElementChild.textContent.toLowerCase());
document.getElementById('filter').addEventListener('input', (event) => {
  const words = event.target.value.toLowerCase().split(/\\s+/).filter(Boolean);
  entries.forEach((entry, index) => { entry.hidden = !words.every((word) => texts[index].includes(word)); });
  for (const section of document.querySelectorAll('section')) {
    section.hidden = !section.querySelector('details:not([hidden])');
  }
});
const openNamed = () => {
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (entry?.tagName !== 'DETAILS') return;
  entry.hidden = false;
  entry.closest('section').hidden = false;
  entry.open = true;
  entry.scrollIntoView();
};
addEventListener('hashchange', openNamed);
openNamed();
`;
