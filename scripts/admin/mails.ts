// The command that shows the mails kept in the outbox folder, so that the operator can hand their
// links over. Reads the files of the mailer as it writes them (backend/mail/mailer.ts).

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { normalised } from '#contract/plain-text.ts'
import { outboxOf } from '../../backend/mail/mailer.ts'
import type { Config } from '../../backend/settings/config.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import { toLine } from './terminal.ts'

const MAILS_SHOWN = 50

type KeptMail = { at: string; to: string; subject: string; link: string }

/** Newest first. @param email of one person; undefined means everybody's */
export async function listKeptMails(
  { mail, dataDir }: Config,
  email: string | undefined,
): Promise<string> {
  if (mail.kind !== 'outbox')
    throw new SettingError('No mails are kept here: they are sent, or mail is switched off')
  const folder = outboxOf(dataDir)
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .toReversed()
  const asked = email && normalised(email.trim()).toLowerCase()
  const lines = ['DATE\tTO\tSUBJECT\tLINK']
  for (const name of names) {
    const kept = readKept(await readFile(join(folder, name), 'utf8'))
    if (asked === undefined || kept.to === asked)
      lines.push(toLine([kept.at, kept.to, kept.subject, kept.link]))
    if (lines.length > MAILS_SHOWN) break
  }
  return lines.join('\n')
}

function readKept(raw: string): KeptMail {
  const headEnd = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, headEnd).replaceAll(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const date = new Date(header('Date'))
  return {
    at: Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' '),
    to: header('To').replaceAll(/[<>]/g, ''),
    subject: decodeWords(header('Subject')),
    link: /https?:\/\/\S+/.exec(raw.slice(headEnd))?.[0] ?? '',
  }
}

/** Encoded words of a header. @source RFC 2047 */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, coding: string, coded: string) =>
      coding.toLowerCase() === 'b'
        ? Buffer.from(coded, 'base64').toString()
        : Buffer.from(
            coded
              .replaceAll('_', ' ')
              .replaceAll(/=([\da-f]{2})/gi, (_hex, byte: string) =>
                String.fromCharCode(Number.parseInt(byte, 16)),
              ),
            'latin1',
          ).toString(),
    )
}
