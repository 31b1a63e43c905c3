// The calls around mailed links, as clients make them.
import type { Answer, Person, TestBlog } from './blog.ts'

export const NEW_PASSWORD = 'a brighter lamp'

export const signIn = (blog: TestBlog, { email, password }: Pick<Person, 'email' | 'password'>) =>
  blog.call('POST', '/account/sessions/email', { body: { email, password } })
export const whoAmI = (blog: TestBlog, cookie: string) => blog.call('GET', '/account', { cookie })
export const requestRecovery = (
  blog: TestBlog,
  email: string,
  url = `${blog.url}/verifyUserEmailLink`,
) => blog.call('POST', '/account/recovery', { body: { email, url } })
export const finishRecovery = (blog: TestBlog, proof: object, password = NEW_PASSWORD) =>
  blog.call('PUT', '/account/recovery', { body: { ...proof, password, passwordAgain: password } })
export const requestVerification = (
  blog: TestBlog,
  cookie: string,
  url = `${blog.url}/verification`,
) => blog.call('POST', '/account/verification', { cookie, body: { url } })
export const finishVerification = (blog: TestBlog, body: object) =>
  blog.call('PUT', '/account/verification', { body })
export const requestSignInLink = (
  blog: TestBlog,
  email: string,
  userId = 'unique()',
  url: string | undefined = undefined,
) =>
  blog.call('POST', '/account/sessions/magic-url', {
    body: { userId, email, ...(url === undefined ? {} : { url }) },
  })
export const signInWithLink = (blog: TestBlog, body: object) =>
  blog.call('PUT', '/account/sessions/magic-url', { body })

export const cookieOf = ({ headers }: Answer) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
