// Sends mails, with retries for a limited time. Knows no user and no text of a mail.
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { MailDelivery } from '#contract/site-settings.ts'
import { makeId, makeSecret } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import type { MailConfig } from '../settings/read-settings.ts'

const MAIL_ATTEMPT_TIMEOUT_MS = 20_000
/** Pauses after each failed attempt; after the last one the mail is lost. */
const MAIL_RETRY_MS = [2_000, 10_000, 30_000, 120_000] as const
/** How long an attempt may go on when the server stops. */
const MAIL_CLOSE_GRACE_MS = 5000
const MAILS_WAITING_MAX = 1000
/** Mails in the outbox folder; the oldest go first. */
export const OUTBOX_FILES_MAX = 1000

export type MailerNeeds = {
  mail: MailConfig
  dataDir: string
  log: Log
  /** Pauses between attempts, in milliseconds; a test hands in shorter ones. */
  retryMs?: readonly number[]
}

export type Mailer = {
  /** What becomes of mails. When it is `off`, nothing may be sent. */
  delivery: MailDelivery
  /**
   * Sends one mail. Never throws: a mail that could not be sent is logged, without its address and
   * text.
   */
  send(mail: Mail): Promise<void>
  /** How many mails are on their way. */
  waiting(): number
  /** Waiting mails get one last attempt, at once; running attempts get a few seconds, or less. */
  close(graceMs?: number): void
}

/** What the settings make of mails. */
export function deliveryOf({ kind }: Pick<MailConfig, 'kind'>): MailDelivery {
  if (kind === 'off') return 'off'
  return kind === 'smtp' ? 'sent' : 'kept'
}

/** Where the settings send mail; undefined when it is off. */
export function mailTarget(mail: MailConfig, dataDir: string): MailTarget | undefined {
  if (mail.kind === 'off') return undefined
  return mail.kind === 'outbox' ? { ...mail, folder: join(dataDir, 'outbox') } : mail
}

/** One mail on its way: attempts until one succeeds, is refused for good, or the server stops. */
type Delivery = {
  carrier: Carrier
  log: Log
  retryMs: readonly number[]
  /** Then the carrier's answer is the path of a file, which is logged. */
  isOutbox: boolean
  /** Aborted when the server stops: from then on no attempt follows. */
  stopping: AbortSignal
}

export function makeMailer({ mail, dataDir, log, retryMs = MAIL_RETRY_MS }: MailerNeeds): Mailer {
  const target = mailTarget(mail, dataDir)
  if (!target)
    return {
      delivery: 'off',
      send: () => Promise.reject(new Error('Mail is switched off: ask delivery before sending')),
      waiting: () => 0,
      close: () => {},
    }
  const carrier = makeCarrier(target)
  const stopping = new AbortController()
  const isOutbox = target.kind === 'outbox'
  const delivery: Delivery = { carrier, log, retryMs, isOutbox, stopping: stopping.signal }
  let waiting = 0
  return {
    delivery: deliveryOf(mail),
    async send(one) {
      const mailId = makeId()
      if (waiting >= MAILS_WAITING_MAX)
        return log.error({ event: 'mail lost', mailId }, 'too many mails are waiting')
      waiting++
      try {
        await deliver(delivery, one, mailId)
      } finally {
        waiting--
        if (waiting === 0 && stopping.signal.aborted) carrier.close()
      }
    },
    waiting: () => waiting,
    close(graceMs = MAIL_CLOSE_GRACE_MS) {
      stopping.abort()
      if (waiting === 0) carrier.close()
      else setTimeout(carrier.close, Math.min(graceMs, MAIL_CLOSE_GRACE_MS)).unref()
    },
  }
}

async function deliver(delivery: Delivery, mail: Mail, mailId: string): Promise<void> {
  const { carrier, log, retryMs, isOutbox, stopping } = delivery
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await carrier.deliver(mail)
      return log.info(
        { event: 'mail sent', mailId, attempt, ...(isOutbox ? { file: answer } : {}) },
        isOutbox ? 'a mail was written to the outbox' : 'mail sent',
      )
    } catch (error) {
      const pauseMs =
        error instanceof DeliveryError && error.isFinal ? undefined : retryMs[attempt - 1]
      const reason = error instanceof Error ? error.message : String(error)
      if (pauseMs === undefined || stopping.aborted)
        return log.error(
          { event: 'mail lost', mailId, attempt, reason },
          'a mail could not be sent',
        )
      log.warn(
        { event: 'mail delayed', mailId, attempt, reason, pauseMs },
        'a mail will be tried again',
      )
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

// --- one attempt: over SMTP, or as a file in the outbox folder

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
