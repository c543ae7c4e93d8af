/** The page that the sign-in link opens. */
export const signInHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>DorkOS</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/sign-in.js"></script>
</head>
<body>
<h1>DorkOS</h1>
<p id="message" role="status">One moment…</p>
<form id="code-form" hidden>
<label>Code <input id="code" autocomplete="one-time-code" spellcheck="false" required minlength="6" maxlength="100"></label>
<button>Sign in</button>
</form>
<div id="banners"></div>
<div id="status"></div>
<p id="actions" hidden>
<button id="new-code" type="button">Sign in another browser or terminal</button>
<button id="sign-out" type="button">Sign out</button>
</p>
<p id="shown-code" role="status" hidden></p>
<p class="soft"><a href="/api/docs">The API</a> · <a href="/api/openapi.json">OpenAPI</a></p>
<noscript>This page needs JavaScript; the command <code>dorkos</code> does not.</noscript>
</body>
</html>
`
