/** The style sheet of the pages that the server makes itself: the documentation of the API, and the one that says that there is no page. */
export const docsStyle = `:root {
  color-scheme: light dark;
  --text: #1c1917; --soft: #57534e; --line: #d6d3d1; --ground: #fafaf9; --card: #ffffff; --accent: #b45309;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e7e5e4; --soft: #a8a29e; --line: #44403c; --ground: #1c1917; --card: #292524; --accent: #fbbf24; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0; }
a { color: var(--accent); } code, pre { font: 0.86em/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem; margin: 0.4rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1rem; margin: 0.8rem 0; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; color: var(--accent); }
.scope { float: right; font-size: 0.8rem; color: var(--soft); border: 1px solid var(--line); border-radius: 999px; padding: 0 0.6rem; }
.soft, dt { color: var(--soft); } dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0; } dd { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`
