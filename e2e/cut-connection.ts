/**
 * A connection to the studio that a test cuts and restores. Playwright's `setOffline` does not hold once a page was reloaded and its
 * service worker started again, and routes switch off the browser's cache, from which a page without a connection is loaded.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export interface Connection {
  /** For `browser.newContext({ proxy })`. */
  proxy: { server: string; bypass: string }
  /** Ends all open requests, and refuses new ones until `restore`. */
  cut(): void
  restore(): void
  close(): void
}

export async function cutConnection(): Promise<Connection> {
  let isCut = false
  const proxy = createServer((from, to) => {
    const { method = 'GET', headers, url = '' } = from
    const on = request(url, { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    on.on('error', () => to.destroy())
    to.on('close', () => on.destroy())
    from.pipe(on)
  })
  // Playwright's own requests of a context (`page.request`) use a tunnel.
  proxy.on('connect', ({ url }, socket, head) => {
    const { hostname, port } = new URL(`http://${url}`)
    const on = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      on.write(head)
      on.pipe(socket).pipe(on)
    })
    on.on('error', () => socket.destroy())
    socket.on('error', () => on.destroy())
  })
  proxy.on('connection', (socket) => {
    if (isCut) socket.destroy()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    // By default browsers connect to their own machine without a proxy.
    proxy: { server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, bypass: '<-loopback>' },
    cut() {
      isCut = true
      proxy.closeAllConnections()
    },
    restore() {
      isCut = false
    },
    close() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
