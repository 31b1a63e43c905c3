// Sends mails, with retries for a limited time. Knows no user and no text of a mail.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MAIL_CLOSE_GRACE_MS, MAIL_RETRY_MS, MAILS_WAITING_MAX } from '#contract/server-limits.ts'
import type { MailDelivery } from '#contract/site-settings.ts'
import { makeId } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import type { MailConfig } from '../settings/read-settings.ts'
import { type Carrier, DeliveryError, type Mail, type MailTarget, makeCarrier } from './carriers.ts'

export type { Mail } from './carriers.ts'

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
