// A bare Node server that sends the bytes of one file with the headers of another: the lower limit for any implementation.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , head, body] = process.argv
const headers = JSON.parse(readFileSync(head, 'utf8'))
const bytes = readFileSync(body)
const server = createServer((_req, res) => {
  res.writeHead(200, headers)
  res.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(`listo ${server.address().port}`))
