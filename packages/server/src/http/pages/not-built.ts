/** What stands where the web page would be, before it is built. */
export const notBuiltHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>DorkOS</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<h1>DorkOS</h1>
<p>The server runs, but its web page is not built. In the folder of DorkOS, run <code>npm run build</code>, then start the server again.</p>
<p>The command <code>dorkos</code> and <a href="/api/docs">the API</a> work without it.</p>
</body>
</html>
`
