// Baseline of a page on a slow phone: the landing page's own bytes, served from memory by a bare Node server with the same headers.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , list] = process.argv
const files = new Map(
  JSON.parse(readFileSync(list, 'utf8')).map(({ path, headers, file }) => [path, { headers, bytes: readFileSync(file) }]),
)
const server = createServer((req, res) => {
  const found = files.get(req.url ?? '')
  res.writeHead(found ? 200 : 404, found?.headers ?? {})
  res.end(found?.bytes)
})
server.listen(0, '127.0.0.1', () => console.log(`listo ${server.address().port}`))
