// Sends raw bytes to a server, for requests that no client would make: invalid HTTP, odd paths,
// slow bodies.
import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Writes `bytes` and waits until the server closes the connection.
 *
 * @param bytes a complete request needs `connection: close`: otherwise the wait lasts until the
 *   time limit of the server
 * @param onAnswer called when the answer begins
 * @returns status 0 when the server closed without an answer
 */
export async function sendRaw(
  url: string,
  bytes: string,
  onAnswer: () => void = () => {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const socket = connect({
    host: hostname === 'localhost' ? '127.0.0.1' : hostname,
    port: Number(port),
  })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  socket.once('data', onAnswer)
  socket.on('error', () => {})
  socket.write(bytes, 'latin1')
  await new Promise((resolve) => socket.once('close', resolve))
  const text = Buffer.concat(chunks).toString()
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: text.slice(end + 4) }
}

/** Sends this many requests on one connection and ignores the responses. */
export async function sendTimes(times: number, url: string, lines: string[]): Promise<void> {
  const head = `${lines.join('\r\n')}\r\nhost: localhost\r\n`
  const open = `${head}\r\n`.repeat(times - 1)
  await sendRaw(url, `${open}${head}connection: close\r\n\r\n`)
}

/** Sends one request whose path is not normalised. */
export function sendPath(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const lines = Object.entries({ host: new URL(url).host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return sendRaw(url, `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
}
