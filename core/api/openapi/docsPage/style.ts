/** Style of the page at /docs: as the console, light and dark, without fonts or images of others. */
export const pageStyle = `
:root{color-scheme:light;--page:#f7f7f9;--surface:#fff;--sunken:#f1f1f5;--line:#e3e3ea;--strong:#868696;--text:#16161d;--muted:#5b5b6b;--accent:#4f46e5;--accent-text:#4338ca;--soft:#eef0ff;--on:#fff;--get:#1d5a9e;--post:#136c38;--put:#845004;--delete:#b3201c}
:root[data-theme=dark]{color-scheme:dark;--page:#0f0f14;--surface:#16161d;--sunken:#101016;--line:#2a2a36;--strong:#737386;--text:#ececf2;--muted:#a2a2b4;--accent:#6d6af0;--accent-text:#b0b2ff;--soft:#23234a;--on:#0b0b12;--get:#7db3ea;--post:#66d796;--put:#f0b95c;--delete:#ff9290}
*{box-sizing:border-box}
html{scroll-padding-top:72px}
body{margin:0;background:var(--page);color:var(--text);font:14px/20px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1,h2,h3,p,ul,dl,dd,pre{margin:0;padding:0}
h1{font-size:15px}h2{font-size:20px;line-height:28px}h3{font-size:13px;margin:16px 0 4px}
a{color:var(--accent-text);text-decoration:none}a:hover,p a{text-decoration:underline}
:focus-visible{outline:none;box-shadow:0 0 0 2px var(--surface),0 0 0 4px var(--accent);border-radius:6px}
.skip{position:absolute;top:-60px;left:8px;z-index:3;padding:8px 12px;background:var(--accent);color:var(--on);border-radius:6px}.skip:focus{top:8px}
header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;min-height:56px;padding:8px 16px;border-bottom:1px solid var(--line);background:var(--surface)}
header h1{flex:1;min-width:120px}
input,select,textarea,button{font:inherit;color:inherit}
input,select,textarea{min-height:32px;padding:5px 10px;border:1px solid var(--strong);border-radius:6px;background:var(--surface);min-width:0;width:100%}
header input{width:220px}header select{width:auto}
button{min-height:32px;padding:0 12px;border:1px solid var(--line);border-radius:6px;background:var(--surface);font-weight:500;cursor:pointer}
button:hover{background:var(--sunken)}
button.primary{border-color:transparent;background:var(--accent);color:var(--on)}
.layout{display:grid;grid-template-columns:264px minmax(0,1fr);max-width:1440px;margin:0 auto}
.index{position:sticky;top:56px;align-self:start;height:calc(100vh - 56px);overflow-y:auto;padding:16px 8px 32px 16px;border-right:1px solid var(--line)}
.index details{margin:2px 0}
.index summary{padding:6px 8px;border-radius:6px;font-weight:600;cursor:pointer}
.index summary:hover,.index a:hover{background:var(--sunken);text-decoration:none}
.index ul{list-style:none;padding:0 0 4px 12px}
.index a{display:flex;gap:8px;padding:4px 8px;border-radius:6px;color:var(--text)}
.index a[aria-current]{background:var(--soft);color:var(--accent-text)}
.index b{flex:none;width:44px;font-size:11px}
main{padding:24px;min-width:0}
section{margin-bottom:40px}section>p{margin:4px 0 12px;color:var(--muted);max-width:760px}
details.entry{margin:8px 0;border:1px solid var(--line);border-radius:10px;background:var(--surface)}
details.entry>summary{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;padding:10px 16px;cursor:pointer}
details.entry[open]>summary{border-bottom:1px solid var(--line)}
summary b{min-width:52px}summary span{color:var(--muted)}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.delete{color:var(--delete)}
.body{display:grid;grid-template-columns:minmax(0,1.1fr) minmax(0,1fr);gap:8px 24px;padding:12px 16px 16px}
.text,.code{min-width:0}
.code{position:sticky;top:72px;align-self:start}
.wide{padding:4px 16px 12px}
code,pre{font:12.5px/18px ui-monospace,"SF Mono",Menlo,Consolas,monospace}code{overflow-wrap:anywhere}
pre{max-height:420px;padding:12px;border:1px solid var(--line);border-radius:6px;background:var(--sunken);overflow:auto;white-space:pre}
.copyable{position:relative}.copyable>pre{padding-right:72px}.copyable>button{position:absolute;top:6px;right:6px;min-height:28px;padding:0 8px;font-size:12px}
body[data-language=curl] .example:not(.curl),body[data-language=cli] .example:not(.cli),body[data-language=sdk] .example:not(.sdk){display:none}
table{width:100%;border-collapse:collapse}
.scroll{overflow-x:auto}
th{color:var(--muted);font-size:12.5px;font-weight:500}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td:last-child{min-width:200px}
.fact{margin:8px 0}.muted{color:var(--muted)}
.nested{margin:8px 0}.nested>summary{color:var(--accent-text);cursor:pointer;width:fit-content}
form.try{display:grid;gap:8px;margin-top:8px}
form.try label{display:grid;gap:4px;font-size:13px;font-weight:500}
form.try textarea{min-height:140px;font:12.5px/18px ui-monospace,Menlo,Consolas,monospace}
.row{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.credentials{display:grid;gap:12px;max-width:760px;padding:16px;border:1px solid var(--line);border-radius:10px;background:var(--surface)}
.credentials label{display:grid;gap:4px;font-size:13px;font-weight:500}
.none{display:none}
[hidden]{display:none!important}
@media (max-width:900px){
.layout{display:block}
.index{position:static;height:auto;max-height:50vh;border-right:0;border-bottom:1px solid var(--line)}
.body{grid-template-columns:minmax(0,1fr)}.code{position:static}
header{position:static}header input{width:100%;order:1}
main{padding:16px}
td:last-child{min-width:140px}
}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`;
