// The blog of test/browser/journeys. All journey files share these fixtures, so that a worker
// starts one server for all of them. Its mail goes to a real SMTP server, and a test may call it as
// the operator. A test sets the site values that it needs, and counts nothing that others may
// write.
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
