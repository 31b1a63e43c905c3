// What every kind of mailed link needs to be made and redeemed.
import { Refusal } from '#contract/errors.ts'
import type { Database } from '../database/schema.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'

export type MailLinkNeeds = {
  db: Database
  background: Background
  log: Log
  mailer: Mailer
  siteName: string
  publicUrl: string
  /** Where mailed links may lead: origins. */
  allowedOrigins: readonly string[]
  now: () => Date
}

/** @throws Refusal `general_smtp_disabled` */
export function requireMail({ mailer }: Pick<MailLinkNeeds, 'mailer'>): void {
  if (mailer.delivery === 'off') throw new Refusal('general_smtp_disabled')
}
