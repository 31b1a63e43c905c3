// How a mail leaves: over SMTP, or as a file in the outbox folder. One attempt each; knows no retry
// and no text of a mail.
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MAIL_ATTEMPT_TIMEOUT_MS, OUTBOX_FILES_MAX } from '#contract/limits.ts'
import { makeSecret } from '../process/ids.ts'

/** `to` is one bare address. The parts say the same, one without and one with marks. */
export type Mail = { to: string; subject: string; text: string; html: string }

export type Carrier = {
  /** One attempt. @returns what the receiving side answered. @throws DeliveryError */
  deliver(mail: Mail): Promise<string>
  /** Ends all connections at once, running attempts included. */
  close(): void
}

/** Where mail goes. The settings spell it the same way. */
export type MailTarget =
  | { kind: 'smtp'; url: string; from: string }
  | { kind: 'outbox'; from: string; folder: string }

export class DeliveryError extends Error {
  /** The server will say the same next time: no use in trying again. */
  readonly isFinal: boolean
  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** @param connections most connections kept open to the server at once */
export function makeCarrier(target: MailTarget, { connections } = { connections: 2 }): Carrier {
  return target.kind === 'smtp' ? makeSmtpCarrier(target, connections) : makeOutboxCarrier(target)
}

/**
 * Text of the mail comes from our templates, addresses are checked before: nothing here may read
 * files or addresses from it.
 */
const SAFE = { disableFileAccess: true, disableUrlAccess: true } as const

/**
 * Opened with the first mail: a server that has sent none yet does not hold the mail library in
 * memory.
 */
function makeOnce<Transport>(make: (library: typeof import('nodemailer')) => Transport) {
  let made: Promise<Transport> | undefined
  return {
    open: () => {
      made ??= import('nodemailer').then(make)
      return made
    },
    /** Nothing to end when nothing was opened. */
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

/** Files appear whole, readable by the server's own user alone: they hold links that sign in. */
function makeOutboxCarrier({ folder, from }: { folder: string; from: string }): Carrier {
  const transport = makeOnce(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...SAFE }),
  )
  return {
    async deliver(mail) {
      const { text, html, ...message } = toMessage(mail, from)
      // Parts as they are, not folded for old mail servers: a link can be copied from the file in
      // any editor.
      const alternatives = [toRawPart('plain', text), toRawPart('html', html)]
      const { message: bytes } = await (await transport.open()).sendMail({
        ...message,
        alternatives,
      })
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${makeSecret(4)}.eml`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = join(folder, `${name}.new`)
      try {
        const file = await open(unfinished, 'wx', 0o600)
        await file.writeFile(bytes as Buffer)
        await file.close()
        await rename(unfinished, join(folder, name))
      } finally {
        await rm(unfinished, { force: true })
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

/** Nobody may be around to empty it. */
async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  for (const name of names.slice(0, Math.max(0, names.length - OUTBOX_FILES_MAX)))
    await rm(join(folder, name), { force: true })
}

function toMessage({ to, subject, text, html }: Mail, from: string) {
  // An address as a record is taken as it is; a text would be parsed for more of them.
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
 * The server's own words help the operator; a link or an address that it repeats must not reach the
 * log.
 */
function toDeliveryError(error: unknown): DeliveryError {
  const { message, code, permanent } = error as Error & { code?: unknown; permanent?: boolean }
  const words = String(message)
    .replaceAll(/https?:\S+/gi, '[link]')
    .replaceAll(/[0-9a-f]{32,}/gi, '[secret]')
    .replaceAll(/[^\s<>@]+@[^\s<>@]+/g, '[address]')
    .slice(0, 500)
  return new DeliveryError(
    typeof code === 'string' ? `${code}: ${words}` : words,
    permanent === true,
  )
}
