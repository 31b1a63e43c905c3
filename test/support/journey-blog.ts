// The blog of the journeys in test/browser/journeys. It is the same in each of their files, so that
// a worker starts one server for all of them: its mail goes to a real SMTP server, and a test may
// call it as its operator. A test sets the choices of the site that it needs, and counts nothing
// that others may have written.
import { expect, test as withOperator } from './operator-blog.ts'
import { makeSmtpSink, type SmtpSink } from './smtp-sink.ts'

export { expect }

export const test = withOperator.extend<object, { mail: SmtpSink }>({
  mail: [
    async ({ browserName: _browserName }, use) => {
      await using sink = await makeSmtpSink()
      await use(sink)
    },
    { scope: 'worker' },
  ],
  blogEnv: [async ({ mail }, use) => await use({ ...mail.env }), { scope: 'worker' }],
})
