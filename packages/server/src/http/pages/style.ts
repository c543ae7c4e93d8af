/** One style sheet for the pages that the server itself serves. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --text: #1c1917; --soft: #57534e; --line: #d6d3d1; --ground: #fafaf9; --card: #ffffff; --accent: #b45309; --danger: #b91c1c;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e7e5e4; --soft: #a8a29e; --line: #44403c; --ground: #1c1917; --card: #292524; --accent: #fbbf24; --danger: #f87171; }
}
* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0; }
a { color: var(--accent); } code, pre { font: 0.86em/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem; margin: 0.4rem 0; }
section, .banner { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1rem; margin: 0.8rem 0; }
.banner.warning { border-color: var(--accent); } .banner.danger { border-color: var(--danger); }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; color: var(--accent); }
.scope { float: right; font-size: 0.8rem; color: var(--soft); border: 1px solid var(--line); border-radius: 999px; padding: 0 0.6rem; }
.soft, dt { color: var(--soft); } dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0; } dd { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; } .code { font-size: 1.3rem; letter-spacing: 0.05em; } form { display: flex; gap: 0.5rem; flex-wrap: wrap; }
input, button { font: inherit; padding: 0.4rem 0.7rem; border-radius: 6px; border: 1px solid var(--line); background: var(--card); color: inherit; }
button { cursor: pointer; border-color: var(--accent); } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`
