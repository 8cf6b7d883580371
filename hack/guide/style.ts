/** Style of the guide, after that of the page at /docs. */
export const guideStyle = `
.home{flex:1;min-width:120px;font-size:15px;font-weight:700;color:var(--text)}
search{position:relative}
#found{position:absolute;right:0;top:40px;z-index:2;width:min(560px,90vw);max-height:70vh;overflow-y:auto;padding:8px;border:1px solid var(--line);border-radius:10px;background:var(--surface);box-shadow:0 8px 24px #0003}
#found a{display:block;padding:8px;border-radius:6px;color:var(--text)}
#found a:hover,#found a:focus{background:var(--sunken);text-decoration:none}
#found b{display:block}#found span{color:var(--muted)}
#found p{padding:8px;color:var(--muted)}
main{max-width:860px;font-size:15px;line-height:24px}
main h1{font-size:26px;line-height:34px;margin-bottom:16px}
main h2{margin:32px 0 8px}main h3{font-size:16px;margin:24px 0 8px}
main p,main ul,main ol,main table,main .copyable,main blockquote{margin:0 0 12px}
main ul,main ol{padding-left:24px}
main a{text-decoration:underline}
main img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:10px}
main blockquote{margin-left:0;padding-left:16px;border-left:3px solid var(--line);color:var(--muted)}
main th,main td{font-size:14px;line-height:20px}
main td:last-child{min-width:0}
.anchor{margin-left:8px;color:var(--muted);opacity:0;text-decoration:none!important}
:hover>.anchor,.anchor:focus{opacity:1}
.groups{display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:8px 24px}
.groups section{margin:0}.groups ul{padding:0;list-style:none}
footer{margin-top:48px;color:var(--muted);font-size:13px}
@media (max-width:900px){.layout{grid-template-columns:minmax(0,1fr)}.index{position:static;height:auto;border-right:0}}
`;
