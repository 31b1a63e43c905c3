// Reads a raw mail as a mail program would: headers, and the text and HTML parts decoded. Knows
// only the forms that mailers produce.

export type ReadMail = {
  from: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  raw: string
}

export function readMail(raw: string): ReadMail {
  const parts = readParts(raw)
  const { headers } = readHead(raw)
  return {
    from: decodeWords(headers.from ?? ''),
    to: decodeWords(headers.to ?? ''),
    subject: decodeWords(headers.subject ?? ''),
    text: parts.find(({ type }) => type.startsWith('text/plain'))?.content ?? '',
    html: parts.find(({ type }) => type.startsWith('text/html'))?.content ?? '',
    headers,
    raw,
  }
}

/** The one link of a mail, from its plain text. */
export function readLink({ text }: Pick<ReadMail, 'text'>): URL {
  const links = text.match(/https?:\/\/\S+/g) ?? []
  const [link, ...more] = new Set(links)
  if (!link || more.length > 0) throw new Error(`The mail has not exactly one link: ${text}`)
  return new URL(link)
}

function readHead(raw: string): { headers: Record<string, string>; body: string } {
  const text = raw.replaceAll('\r\n', '\n')
  const end = text.indexOf('\n\n')
  const lines = text
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = lines.map(
    (line) =>
      [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ] as const,
  )
  return { headers: Object.fromEntries(headers), body: text.slice(end + 2) }
}

function readParts(raw: string): { type: string; content: string }[] {
  const { headers, body } = readHead(raw)
  const type = headers['content-type'] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (boundary) {
    return body
      .split(`--${boundary}`)
      .slice(1, -1)
      .flatMap((part) => readParts(part.replace(/^\n/, '')))
  }
  return [{ type, content: decodeBody(body, headers['content-transfer-encoding'] ?? '7bit') }]
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\n', '')) : body
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-Fa-f]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=` in headers. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, form: string, words: string) =>
      form.toLowerCase() === 'b'
        ? Buffer.from(words, 'base64').toString()
        : decodeQuoted(words.replaceAll('_', ' ')),
    )
}
