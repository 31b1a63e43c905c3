// A real SMTP server that stores received mails: `await using sink = await makeSmtpSink()`, then
// `BLOG_SMTP_URL: sink.url`.
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { type ReadMail, readMail } from './mail-text.ts'

/** A mail as it arrived; `recipients` are those of the envelope. */
export type SunkMail = ReadMail & { recipients: string[] }

export type SmtpSink = AsyncDisposable & {
  url: string
  /** Settings of a blog that sends its mail here. */
  env: { BLOG_SMTP_URL: string; BLOG_MAIL_FROM: string }
  /** All received mails, oldest first. */
  mails: SunkMail[]
  /**
   * Resolves with mail number `count` to this address once it has been received.
   * @throws Error after a minute without it
   */
  waitForMail(to: string, count?: number): Promise<SunkMail>
  /** Refuses the next mails with this reply (`451` is temporary, `550` permanent). */
  refuseNext(times: number, reply: { code: number; words: string }): void
  /** How many attempts were refused. */
  refused: number
}

const MAIL_TIMEOUT_MS = 60_000

export async function makeSmtpSink(): Promise<SmtpSink> {
  const mails: SunkMail[] = []
  const watchers = new Set<() => void>()
  let refusing = { times: 0, code: 451, words: '' }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        if (refusing.times > 0) {
          refusing.times--
          sink.refused++
          done(Object.assign(new Error(refusing.words), { responseCode: refusing.code }))
        } else {
          mails.push({
            ...readMail(raw),
            recipients: session.envelope.rcptTo.map(({ address }) => address),
          })
          done()
        }
        for (const look of watchers) look()
      })
    },
  })
  // A client that disconnects early must not fail a test.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The mail server got no port')
  const url = `smtp://127.0.0.1:${address.port}`

  const sink: SmtpSink = {
    url,
    env: { BLOG_SMTP_URL: url, BLOG_MAIL_FROM: 'Test Blog <blog@example.test>' },
    mails,
    refused: 0,
    refuseNext(times, { code, words }) {
      refusing = { times, code, words }
    },
    waitForMail(to, count = 1) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(look)
          const summaries = mails.map(({ recipients, subject }) => `${recipients}: ${subject}`)
          reject(
            new Error(
              `Mail ${count} to ${to} did not come. There is: ${summaries.join('; ') || 'none'}`,
            ),
          )
        }, MAIL_TIMEOUT_MS)
        function look(): void {
          const mail = mails.filter(({ recipients }) => recipients.includes(to))[count - 1]
          if (!mail) return
          clearTimeout(timer)
          watchers.delete(look)
          resolve(mail)
        }
        watchers.add(look)
        look()
      })
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return sink
}
