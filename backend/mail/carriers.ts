// Sends one mail: over SMTP, or as a file in the outbox folder. Knows no retry and no text of a
// mail.
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MAIL_ATTEMPT_TIMEOUT_MS, OUTBOX_FILES_MAX } from '#contract/server-limits.ts'
import { makeSecret } from '../process/ids.ts'

/** `to` is one bare address. `text` and `html` have the same content. */
export type Mail = { to: string; subject: string; text: string; html: string }

export type Carrier = {
  /** One attempt. @returns the server's answer, or the file's path. @throws DeliveryError */
  deliver(mail: Mail): Promise<string>
  /** Ends all connections at once, running attempts included. */
  close(): void
}

export type MailTarget =
  | { kind: 'smtp'; url: string; from: string }
  | { kind: 'outbox'; from: string; folder: string }

export class DeliveryError extends Error {
  /** The server has refused for good: another attempt would not help. */
  readonly isFinal: boolean
  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** @param options `connections` is the most that are open to the SMTP server at once */
export function makeCarrier(target: MailTarget, { connections } = { connections: 2 }): Carrier {
  return target.kind === 'smtp' ? makeSmtpCarrier(target, connections) : makeOutboxCarrier(target)
}

/** The mail library could otherwise load attachments from paths and URLs. */
const SAFE = { disableFileAccess: true, disableUrlAccess: true } as const

/** Loads the mail library with the first mail, to save its memory until then. */
function makeOnce<Transport>(make: (library: typeof import('nodemailer')) => Transport) {
  let made: Promise<Transport> | undefined
  return {
    open: () => {
      made ??= import('nodemailer').then(make)
      return made
    },
    end: (work: (transport: Transport) => void) => void made?.then(work, () => {}),
  }
}

function makeSmtpCarrier(
  { url, from }: { url: string; from: string },
  connections: number,
): Carrier {
  const transport = makeOnce(({ createTransport }) =>
    createTransport({
      url,
      pool: true,
      maxConnections: connections,
      connectionTimeout: MAIL_ATTEMPT_TIMEOUT_MS,
      greetingTimeout: MAIL_ATTEMPT_TIMEOUT_MS,
      socketTimeout: MAIL_ATTEMPT_TIMEOUT_MS,
      ...SAFE,
    }),
  )
  return {
    async deliver(mail) {
      try {
        const { response } = await (await transport.open()).sendMail({
          ...toMessage(mail, from),
          ...SAFE,
        })
        return response
      } catch (error) {
        throw toDeliveryError(error)
      }
    },
    close: () => transport.end((opened) => opened.close({ force: true })),
  }
}

/**
 * Files have their final name only when complete, and only the server's own user can read them:
 * they hold links that sign in.
 */
function makeOutboxCarrier({ folder, from }: { folder: string; from: string }): Carrier {
  const transport = makeOnce(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...SAFE }),
  )
  return {
    async deliver(mail) {
      const { text, html, ...message } = toMessage(mail, from)
      // Without line folding and transfer encoding, so that a link can be copied from the file in
      // any editor.
      const alternatives = [toRawPart('plain', text), toRawPart('html', html)]
      const { message: bytes } = await (await transport.open()).sendMail({
        ...message,
        alternatives,
      })
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${makeSecret(4)}.eml`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = join(folder, `${name}.new`)
      try {
        const file = await open(temporary, 'wx', 0o600)
        await file.writeFile(bytes as Buffer)
        await file.close()
        await rename(temporary, join(folder, name))
      } finally {
        await rm(temporary, { force: true })
      }
      await dropOldest(folder)
      return join('outbox', name)
    },
    close: () => transport.end((opened) => opened.close()),
  }
}

function toRawPart(type: 'plain' | 'html', content: string): { raw: string } {
  const lines = [
    `Content-Type: text/${type}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    content.trimEnd(),
  ]
  return { raw: lines.join('\n').replaceAll('\n', '\r\n') }
}

/** Keeps the outbox from growing without end. */
async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  for (const name of names.slice(0, Math.max(0, names.length - OUTBOX_FILES_MAX)))
    await rm(join(folder, name), { force: true })
}

function toMessage({ to, subject, text, html }: Mail, from: string) {
  // As an object the address is used as it is; a string would be parsed as a list of addresses.
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/**
 * Keeps the server's message, which helps the operator, but without the links and addresses that
 * it may repeat: they must not reach the log.
 */
function toDeliveryError(error: unknown): DeliveryError {
  const { message, code, permanent } = error as Error & { code?: unknown; permanent?: boolean }
  const text = String(message)
    .slice(0, 5000)
    .replaceAll(/https?:\S+/gi, '[link]')
    .replaceAll(/[0-9a-f]{32,}/gi, '[secret]')
    // Bounded: cut above.
    .replaceAll(/[^\s<>@]+@[^\s<>@]+/g, '[address]')
    .slice(0, 500)
  return new DeliveryError(typeof code === 'string' ? `${code}: ${text}` : text, permanent === true)
}
