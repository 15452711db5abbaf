// Serves the page of `dist/page` on this computer: `node serve.mjs [PORT]`.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Starts a server; port 0 is any that is free. Returns its address. */
export function serve(port = 0) {
  const folder = fileURLToPath(new URL("dist/page/", import.meta.url));
  const server = createServer(({ url, method }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, "http://localhost").pathname));
    const file = join(folder, path.endsWith("/") ? "index.html" : path);
    const isFile = file.startsWith(folder) && statSync(file, { throwIfNoEntry: false })?.isFile();
    if (method !== "GET" && method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    if (!isFile) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-length": statSync(file).size,
      "cache-control": "no-cache",
    });
    if (method === "HEAD") response.end();
    else createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve({ server, address: `http://localhost:${server.address().port}/` }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(Number(process.argv[2] ?? 8000));
  console.log(`The page is at ${address}`);
}
