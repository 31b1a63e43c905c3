// Browser tests of a blog that offers sign-in with Google, with a real OpenID provider in Google's
// place.
import { test as base, type Visitor } from './browser-blog.ts'
import { type GooglePerson, type Issuer, startIssuer } from './openid.ts'

export const test = base.extend<
  object,
  { issuer: Issuer; people: GooglePerson[]; admitted: undefined }
>({
  /** Who has an account at the provider; a file extends this. */
  people: [[], { scope: 'worker', option: true }],
  issuer: [
    async ({ people }, use) => {
      await using issuer = await startIssuer(people)
      await use(issuer)
    },
    { scope: 'worker' },
  ],
  blogEnv: [async ({ issuer }, use) => use({ ...issuer.env }), { scope: 'worker' }],
  /** The provider learns of the blog once that has an address. */
  admitted: [
    async ({ issuer, blog }, use) => {
      issuer.registerBlog(blog.url)
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})

/** The visitor may leave for the provider; every other foreign address stays a fault. */
export function allowProvider({ expectFault }: Visitor, issuer: Issuer): void {
  expectFault(new RegExp(`^request to elsewhere: ${issuer.url}/`))
}
