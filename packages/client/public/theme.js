// Before the first paint: the chosen theme, so that nothing flashes. The page keeps it up to date (src/browser/theme.ts).
try {
  const chosen = localStorage.getItem('dorkos.theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {}
// Before any module: the library that checks the server's answers (zod) tries whether it may make code from text. It may not, and
// browsers report the attempt as a violation of the page's policy.
globalThis.__zod_globalConfig = { jitless: true }
