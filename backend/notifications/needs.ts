// What the rules of notifications are handed.
import type { Live } from '../database/transaction.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Config } from '../settings/config.ts'
import type { Site } from '../site/site.ts'

export type NotificationNeeds = Omit<Live, 'log'> & {
  avatarBucketId: string
  site: Pick<Site, 'read'>
  mail: Pick<Config['mail'], 'kind'>
}
export type MailNeeds = NotificationNeeds & Pick<Live, 'log'> & { mailer: Pick<Mailer, 'tryOnce'> }
