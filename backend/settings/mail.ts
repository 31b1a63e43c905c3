// Settings about mail.
import { readSwitch, SettingError, type TextOf } from './table.ts'

/**
 * `from` is an address, or `Name <address>`. An outbox is a folder of `.eml` files in the data
 * folder.
 */
export type MailConfig =
  | { readonly kind: 'smtp'; readonly url: string; readonly from: string }
  | { readonly kind: 'outbox'; readonly from: string }
  | { readonly kind: 'off' }

export function readMail(text: TextOf, publicUrl: string): MailConfig {
  const isOn = readSwitch('BLOG_MAIL', text('BLOG_MAIL'))
  const [url, from] = [text('BLOG_SMTP_URL'), text('BLOG_MAIL_FROM')]
  if (Boolean(url) !== Boolean(from))
    throw new SettingError('BLOG_SMTP_URL and BLOG_MAIL_FROM belong together: set both or neither')
  if (!isOn) return { kind: 'off' }
  if (!url) return { kind: 'outbox', from: `no-reply@${new URL(publicUrl).hostname}` }
  if (!/^smtps?:\/\//.test(url) || !URL.canParse(url) || !new URL(url).hostname)
    throw new SettingError('BLOG_SMTP_URL: not an smtp:// or smtps:// address')
  if (
    !/^(?:[^<>"\p{Cc}]+ <[^<>\s@\p{Cc}]+@[^<>\s@\p{Cc}]+>|[^<>\s@,;\p{Cc}]+@[^<>\s@,;\p{Cc}]+)$/u.test(
      from,
    )
  )
    throw new SettingError(
      'BLOG_MAIL_FROM: must be one address, or a name and the address in angle brackets',
    )
  return { kind: 'smtp', url, from }
}
