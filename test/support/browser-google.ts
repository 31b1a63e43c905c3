// Browser tests of a blog that offers sign-in with Google, played by a real OpenID provider.
import { test as base, type Visitor } from './browser-blog.ts'
import { type GooglePerson, type Issuer, startIssuer } from './openid.ts'

export const test = base.extend<
  object,
  { issuer: Issuer; people: GooglePerson[]; admitted: undefined }
>({
  /** The accounts at the provider; test files override this. */
  people: [[], { scope: 'worker', option: true }],
  issuer: [
    async ({ people }, use) => {
      await using issuer = await startIssuer(people)
      await use(issuer)
    },
    { scope: 'worker' },
  ],
  blogEnv: [async ({ issuer }, use) => use({ ...issuer.env }), { scope: 'worker' }],
  /** Registers the blog at the provider once its address is known. */
  admitted: [
    async ({ issuer, blog }, use) => {
      issuer.registerBlog(blog.url)
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})

/** Allows requests to the provider; any other foreign address remains a fault. */
export function allowProvider({ expectFault }: Visitor, issuer: Issuer): void {
  expectFault(new RegExp(`^request to elsewhere: ${issuer.url}/`))
}
