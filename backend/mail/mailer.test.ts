// Sends mail to an SMTP server or the outbox: delivery, retries and logging.
import { mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OUTBOX_MAILS_MAX } from '#contract/operator.ts'
import { findPort } from '#test/support/free-port.ts'
import { readLink, readMail } from '#test/support/mail-text.ts'
import { makeSmtpSink } from '#test/support/smtp-sink.ts'
import { makeLog } from '../process/log.ts'
import type { MailConfig } from '../settings/read-settings.ts'
import { type Mail, makeMailer } from './mailer.ts'

const LINK = `http://localhost:3000/verifyUserEmailLink?userId=alice&secret=${'ab'.repeat(128)}&expire=2026-11-20+14%3A37%3A00.123`
const MAIL: Mail = {
  to: 'alice@example.test',
  subject: 'A new password',
  text: `Open this address:\n\n${LINK}\n`,
  html: `<p><a href="${LINK.replaceAll('&', '&amp;')}">A new password</a></p>`,
}
const FROM = 'Test Blog <blog@example.test>'

function makeTestMailer(mail: MailConfig, dataDir = '', retryMs = [1, 1]) {
  const log: Record<string, unknown>[] = []
  const mailer = makeMailer({
    mail,
    dataDir,
    retryMs,
    log: makeLog('info', { write: (line) => void log.push(JSON.parse(line)) }),
  })
  return { mailer, log, logText: () => JSON.stringify(log), [Symbol.dispose]: mailer.close }
}

test('a mail arrives with both parts, and its link in one piece', async () => {
  await using sink = await makeSmtpSink()
  using it = makeTestMailer({ kind: 'smtp', url: sink.url, from: FROM })
  await it.mailer.send(MAIL)
  expect(sink.mails).toMatchObject([
    { from: FROM, to: MAIL.to, recipients: [MAIL.to], subject: MAIL.subject },
  ])
  const [mail] = sink.mails
  expect(mail?.text.trim()).toBe(MAIL.text.trim())
  expect(mail?.html.trim()).toBe(MAIL.html)
  expect(mail && readLink(mail).href).toBe(LINK)
  expect(mail?.headers['auto-submitted']).toBe('auto-generated')
  expect(it.log).toMatchObject([{ event: 'mail sent', attempt: 1 }])
  expect(it.logText()).not.toMatch(/alice|abab/)
})

test('letters of every script arrive', async () => {
  await using sink = await makeSmtpSink()
  using it = makeTestMailer({ kind: 'smtp', url: sink.url, from: 'Lámpara 💡 <blog@example.test>' })
  await it.mailer.send({
    ...MAIL,
    subject: 'Ein neues Paßwort für Änne 💡',
    text: `Grüße 💡 ${LINK}`,
  })
  expect(sink.mails).toMatchObject([
    {
      from: 'Lámpara 💡 <blog@example.test>',
      subject: 'Ein neues Paßwort für Änne 💡',
      text: `Grüße 💡 ${LINK}\n`,
    },
  ])
})

test.each([
  'alice@example.test\r\nBcc: bob@example.test',
  'alice@example.test, bob@example.test',
  'alice@example.test\nRCPT TO:<bob@example.test>',
])('a mail to %j reaches no second person', async (to) => {
  await using sink = await makeSmtpSink()
  using it = makeTestMailer({ kind: 'smtp', url: sink.url, from: FROM })
  await it.mailer.send({ ...MAIL, to, subject: 'Hello\r\nBcc: bob@example.test' })
  expect(sink.mails.flatMap(({ recipients }) => recipients)).not.toContain('bob@example.test')
  expect(sink.mails.filter(({ headers }) => 'bcc' in headers)).toEqual([])
})

test('a temporary refusal is retried', async () => {
  await using sink = await makeSmtpSink()
  using it = makeTestMailer({ kind: 'smtp', url: sink.url, from: FROM })
  sink.refuseNext(2, { code: 451, words: 'come back later' })
  await it.mailer.send(MAIL)
  expect(sink.mails).toHaveLength(1)
  expect(it.log.map(({ event, attempt }) => [event, attempt])).toEqual([
    ['mail delayed', 1],
    ['mail delayed', 2],
    ['mail sent', 3],
  ])
})

test('after the last attempt the mail is lost, and the log says why', async () => {
  await using sink = await makeSmtpSink()
  using it = makeTestMailer({ kind: 'smtp', url: sink.url, from: FROM })
  sink.refuseNext(9, { code: 451, words: 'come back later' })
  await it.mailer.send(MAIL)
  expect([sink.mails, sink.refused]).toEqual([[], 3])
  expect(it.log.at(-1)).toMatchObject({
    level: 50,
    event: 'mail lost',
    attempt: 3,
    reason: expect.stringContaining('come back later'),
  })
})

test('a final refusal is not retried, and neither a link nor an address in its text is logged', async () => {
  await using sink = await makeSmtpSink()
  using it = makeTestMailer({ kind: 'smtp', url: sink.url, from: FROM })
  sink.refuseNext(9, { code: 550, words: `<${MAIL.to}>: spam: ${LINK}` })
  await it.mailer.send(MAIL)
  expect(sink.refused).toBe(1)
  expect(it.log).toMatchObject([
    {
      event: 'mail lost',
      attempt: 1,
      reason: expect.stringContaining('<[address]>: spam: [link]'),
    },
  ])
  expect(it.logText()).not.toMatch(/alice|abab/)
})

test('an unreachable mail server is logged and causes no error', async () => {
  const port = await findPort()
  using it = makeTestMailer({ kind: 'smtp', url: `smtp://me:hush@127.0.0.1:${port}`, from: FROM })
  await it.mailer.send(MAIL)
  expect(it.log.at(-1)).toMatchObject({
    event: 'mail lost',
    attempt: 3,
    reason: expect.stringContaining('ECONNREFUSED'),
  })
  expect(it.logText()).not.toContain('hush')
})

test.each([
  { refusals: 1, end: 'mail sent' },
  { refusals: 2, end: 'mail lost' },
])(
  'closing the mailer retries a waiting mail once, without delay: $end',
  async ({ refusals, end }) => {
    await using sink = await makeSmtpSink()
    using it = makeTestMailer(
      { kind: 'smtp', url: sink.url, from: FROM },
      '',
      [3_600_000, 3_600_000],
    )
    sink.refuseNext(refusals, { code: 451, words: 'come back later' })
    const sending = it.mailer.send(MAIL)
    await expect.poll(() => it.log.length).toBe(1)
    it.mailer.close()
    await sending
    expect(it.log.map(({ event }) => event)).toEqual(['mail delayed', end])
  },
)

test('without a mail server each mail is a file of the outbox that only its owner can read', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-mail-'))
  using it = makeTestMailer({ kind: 'outbox', from: FROM }, folder.path)
  await it.mailer.send(MAIL)
  await it.mailer.send(MAIL)
  const names = await readdir(join(folder.path, 'outbox'))
  expect(names).toHaveLength(2)
  expect(it.log.map(({ file }) => file).sort()).toEqual(
    names.map((name) => join('outbox', name)).sort(),
  )
  const [name = ''] = names
  expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}\.eml$/)
  const path = join(folder.path, 'outbox', name)
  const mail = readMail(await readFile(path, 'utf8'))
  expect(mail).toMatchObject({ from: FROM, to: MAIL.to, subject: MAIL.subject })
  expect(readLink(mail).href).toBe(LINK)
  expect([
    (await stat(path)).mode & 0o777,
    (await stat(join(folder.path, 'outbox'))).mode & 0o777,
  ]).toEqual([0o600, 0o700])
  expect(it.logText()).not.toMatch(/alice|abab/)
})

test('the link in an outbox file is in one piece, so that it can be copied from any editor', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-mail-'))
  using it = makeTestMailer({ kind: 'outbox', from: FROM }, folder.path)
  await it.mailer.send({ ...MAIL, text: `Grüße 💡 ${LINK}` })
  const [name = ''] = await readdir(join(folder.path, 'outbox'))
  expect(readMail(await readFile(join(folder.path, 'outbox', name), 'utf8')).text.trim()).toBe(
    `Grüße 💡 ${LINK}`,
  )
  expect(await readFile(join(folder.path, 'outbox', name), 'utf8')).toContain(LINK)
})

test('when mail is off, the mailer says so and nothing is sent', async () => {
  using it = makeTestMailer({ kind: 'off' })
  expect(it.mailer.delivery).toBe('off')
  await expect(it.mailer.send(MAIL)).rejects.toThrow('Mail is switched off')
})

test(`the outbox keeps the newest ${OUTBOX_MAILS_MAX} files`, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-mail-'))
  using it = makeTestMailer({ kind: 'outbox', from: FROM }, folder.path)
  await it.mailer.send(MAIL)
  const outbox = join(folder.path, 'outbox')
  for (let index = 0; index < OUTBOX_MAILS_MAX; index++)
    await writeFile(join(outbox, `2000-01-01T00-00-00-000Z-${index}.eml`), '')
  await it.mailer.send(MAIL)
  const names = await readdir(outbox)
  expect([names.length, names.filter((name) => !name.startsWith('2000')).length]).toEqual([
    OUTBOX_MAILS_MAX,
    2,
  ])
})
