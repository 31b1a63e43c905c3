// Sends mails, with retries for a limited time. Independent of users and texts.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { createTransport } from 'nodemailer'
import type { OutboxMailKind } from '#contract/operator.ts'
import type { MailDelivery } from '#contract/site-settings.ts'
import { makeId, makeSecret } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import type { Config } from '../settings/config.ts'
import type { MailConfig } from '../settings/read-settings.ts'
import { toMailAddress } from './addresses.ts'
import { deleteOldMails, KIND_HEADER, outboxFolder, TOKEN_HEADER } from './outbox.ts'

/** Timeout of each step of an attempt. */
const STEP_TIMEOUT_MS = 20_000
/** Pauses after each failed attempt; after the last one the mail is lost. */
const MAIL_RETRY_MS = [2_000, 10_000, 30_000, 120_000] as const
/** How long a running attempt may take when the server stops. */
const MAIL_CLOSE_GRACE_MS = 5000
const MAILS_WAITING_MAX = 1000

export type MailerOptions = Pick<Config, 'mail' | 'dataDir'> & {
  log: Log
  /** Pauses between attempts, in milliseconds; a test passes shorter ones. */
  retryMs?: readonly number[]
}

export type Mailer = ReturnType<typeof makeMailer>

/** How mail is delivered, for each kind of mail setting. */
const DELIVERIES: Record<MailConfig['kind'], MailDelivery> = {
  smtp: 'sent',
  outbox: 'kept',
  off: 'off',
}

export function makeMailer({ mail, dataDir, log, retryMs = MAIL_RETRY_MS }: MailerOptions) {
  const transport = makeMailTransport(mail, dataDir)
  const close = () => transport?.close()
  /** Aborted when the server stops: then no further attempts are made. */
  const stopping = new AbortController()
  let waiting = 0

  /**
   * Tries until an attempt succeeds or is refused for good, no retries are left, or the server
   * stops.
   */
  async function deliver(message: Mail, mailId: string): Promise<void> {
    if (!transport) throw new Error('Mail is switched off: check delivery before sending')
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await transport.deliver(message)
        const file = mail.kind === 'outbox' ? { file: answer } : {}
        return log.info({ event: 'mail sent', mailId, attempt, ...file }, 'mail sent')
      } catch (error) {
        const { permanent: isFinal } = error as { permanent?: boolean }
        const pauseMs = isFinal || stopping.signal.aborted ? undefined : retryMs[attempt - 1]
        const failure = { mailId, attempt, reason: describeFailure(error), pauseMs }
        if (pauseMs === undefined)
          return log.error({ event: 'mail lost', ...failure }, 'a mail could not be sent')
        log.warn({ event: 'mail delayed', ...failure }, 'a mail will be tried again')
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  return {
    /** How mails are delivered. When `off`, nothing may be sent. */
    delivery: DELIVERIES[mail.kind],
    /**
     * Sends one mail. Never throws: a mail that could not be sent is logged, without its address
     * and text.
     */
    async send(message: Mail): Promise<void> {
      const mailId = makeId()
      if (waiting >= MAILS_WAITING_MAX)
        return log.error({ event: 'mail lost', mailId }, 'too many mails are waiting')
      waiting++
      try {
        await deliver(message, mailId)
      } finally {
        waiting--
        if (waiting === 0 && stopping.signal.aborted) close()
      }
    },
    /** One attempt. @returns why it failed; `isFinal`: a retry would fail, too */
    async tryOnce(message: Mail): Promise<{ reason: string; isFinal: boolean } | undefined> {
      try {
        await transport?.deliver(message)
        return undefined
      } catch (error) {
        const { permanent: isFinal = false } = error as { permanent?: boolean }
        return { reason: describeFailure(error), isFinal }
      }
    },
    /** Number of mails that are being sent or retried. */
    waiting: () => waiting,
    /**
     * Gives waiting mails one last attempt at once, and running attempts `MAIL_CLOSE_GRACE_MS` at
     * most.
     */
    close(graceMs = MAIL_CLOSE_GRACE_MS): void {
      stopping.abort()
      if (waiting === 0) close()
      else setTimeout(close, Math.min(graceMs, MAIL_CLOSE_GRACE_MS)).unref()
    },
  }
}

// --- one attempt: over SMTP, or as a file in the outbox folder

export type Mail = {
  /** One bare address. */
  to: string
  /** The kind, for the operators' page of the outbox; `other` when absent. */
  kind?: OutboxMailKind
  /** Id of the token of its link or code. */
  tokenId?: string
  subject: string
  /** The same content as `html`. */
  text: string
  html: string
  /** Unsubscribes with one click in the mail program. */
  unsubscribeUrl?: string
}

type MailTransport = {
  /** One attempt. @returns the server's answer, or the file's path */
  deliver(mail: Mail): Promise<string>
  /** Ends all connections at once, running attempts included. */
  close(): void
}

/** @returns undefined when mail is off */
export function makeMailTransport(mail: MailConfig, dataDir: string): MailTransport | undefined {
  if (mail.kind === 'off') return undefined
  return mail.kind === 'smtp'
    ? makeSmtpTransport(mail)
    : makeOutboxTransport(outboxFolder(dataDir), mail)
}

const CONNECTIONS = 2

/** Loads the mail library for the first mail, not at the start. */
function makeLazyTransport<Transport>(make: (create: typeof createTransport) => Transport) {
  let transport: Promise<Transport> | undefined
  return {
    async getTransport(): Promise<Transport> {
      transport ??= import('nodemailer').then((library) => make(library.createTransport))
      return await transport
    },
    /** Undefined before the first mail. */
    loaded: () => transport,
  }
}

/** Keeps the mail library from loading attachments from paths and URLs. */
const SAFE = { disableFileAccess: true, disableUrlAccess: true } as const

function makeSmtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const lazyTransport = makeLazyTransport((createTransport) =>
    createTransport({
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      socketTimeout: STEP_TIMEOUT_MS,
      ...SAFE,
    }),
  )
  return {
    async deliver(mail) {
      const transport = await lazyTransport.getTransport()
      return (await transport.sendMail({ ...toMessage(mail, from), ...SAFE })).response
    },
    close: () => void lazyTransport.loaded()?.then((transport) => transport.close({ force: true })),
  }
}

/**
 * A file gets its final name only when it is complete, and only the server's own user can read it:
 * mails hold links that sign in.
 */
function makeOutboxTransport(folder: string, { from }: { from: string }): MailTransport {
  const asBytes = { streamTransport: true, buffer: true, newline: 'windows' } as const
  const lazyTransport = makeLazyTransport((createTransport) =>
    createTransport({ ...asBytes, ...SAFE }),
  )
  return {
    async deliver(mail) {
      const transport = await lazyTransport.getTransport()
      const { text, html, headers, ...message } = toMessage(mail, from)
      const { kind = 'other', tokenId = '' } = mail
      const outboxHeaders = { ...headers, [KIND_HEADER]: kind, [TOKEN_HEADER]: tokenId }
      // Without line folding and transfer encoding, so that a link can be copied from the file in
      // any editor.
      const alternatives = [toRawPart('plain', text), toRawPart('html', html)]
      const { message: bytes } = await transport.sendMail({
        ...message,
        headers: outboxHeaders,
        alternatives,
      })
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${makeSecret(4)}.eml`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = join(folder, `${name}.new`)
      try {
        await writeFile(temporary, bytes as Buffer, { flag: 'wx', mode: 0o600 })
        await rename(temporary, join(folder, name))
      } finally {
        await rm(temporary, { force: true })
      }
      await deleteOldMails(folder)
      return join('outbox', name)
    },
    close: () => void lazyTransport.loaded()?.then((transport) => transport.close()),
  }
}

function toRawPart(type: 'plain' | 'html', content: string): { raw: string } {
  const head = `Content-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit`
  return { raw: `${head}\n\n${content.trimEnd()}`.replaceAll('\n', '\r\n') }
}

/** @source RFC 8058 for the headers to unsubscribe */
function toMessage({ to, subject, text, html, unsubscribeUrl }: Mail, from: string) {
  const headers = {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  }
  // An object, because a string would be parsed as a list of addresses.
  return { from, to: { name: '', address: toMailAddress(to) }, subject, text, html, headers }
}

/**
 * The mail server's message for the operator's log, without links and addresses, which must not be
 * logged.
 */
function describeFailure(error: unknown): string {
  const { message, code } = error as Error & { code?: unknown }
  const text = String(message)
    .slice(0, 5000)
    .replaceAll(/https?:\S+/gi, '[link]')
    .replaceAll(/[0-9a-f]{32,}/gi, '[secret]')
    // Bounded: the text is cut above.
    .replaceAll(/[^\s<>@]+@[^\s<>@]+/g, '[address]')
    .slice(0, 500)
  return typeof code === 'string' ? `${code}: ${text}` : text
}
