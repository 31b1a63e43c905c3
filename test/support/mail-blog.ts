// A test blog whose mail goes to a real SMTP server: `await using mailBlog = await makeMailBlog()`,
// then `mailBlog.blog`, `mailBlog.sink`.
import { makeTestBlog, type TestBlog } from './blog.ts'
import { readLink } from './mail-text.ts'
import { shareBlog } from './shared-blog.ts'
import { makeSmtpSink, type SmtpSink } from './smtp-sink.ts'

export type MailBlog = AsyncDisposable & {
  blog: TestBlog
  sink: SmtpSink
  /** The parameters of the link in mail number `count` to this address. */
  secretFor(email: string, count?: number): Promise<{ userId: string; secret: string }>
}

export async function makeMailBlog(env: Record<string, string> = {}): Promise<MailBlog> {
  const sink = await makeSmtpSink()
  const blog = await makeTestBlog({ ...sink.env, ...env })
  return {
    blog,
    sink,
    async secretFor(email, count = 1) {
      const { searchParams } = readLink(await sink.waitForMail(email, count))
      return { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' }
    },
    async [Symbol.asyncDispose]() {
      await blog[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
    },
  }
}

/**
 * One mail blog for all tests of a file that only need people and mails of their own; used like
 * `shareBlog`.
 */
export function shareMailBlog(env: Record<string, string> = {}) {
  const share = shareBlog(async () => {
    const mail = await makeMailBlog(env)
    return { ...mail.blog, mail, [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose]() }
  })
  return async () => {
    const blog = await share()
    return { blog, sink: blog.mail.sink, secretFor: blog.mail.secretFor }
  }
}
