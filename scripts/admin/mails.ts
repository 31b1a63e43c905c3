// The command that lists the mails in the outbox folder, so that the operator can hand over their
// links.
import { tryParseEmail } from '../../backend/mail/addresses.ts'
import { listOutboxMails as readKeptMails } from '../../backend/mail/outbox.ts'
import type { Config } from '../../backend/settings/config.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import { toLine } from './terminal.ts'

const ANY_LINK = /https?:\/\/\S+/

/** Newest first. @param email of one recipient; undefined lists the mails to everybody */
export async function listKeptMails(
  { mail, dataDir }: Config,
  email: string | undefined,
): Promise<string> {
  if (mail.kind !== 'outbox')
    throw new SettingError('No mails are kept here: they are sent, or mail is switched off')
  const wantedEmail = email && (tryParseEmail(email.trim()) ?? email)
  const lines = ['DATE\tTO\tSUBJECT\tLINK']
  for (const { at, to, subject, text, link } of await readKeptMails(dataDir))
    if (wantedEmail === undefined || to === wantedEmail) {
      const time = at.slice(0, 16).replace('T', ' ')
      lines.push(toLine([time, to, subject, link || (ANY_LINK.exec(text)?.[0] ?? '')]))
    }
  return lines.join('\n')
}
