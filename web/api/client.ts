// The one `appwrite` client and its services. The browser sends the cookie by itself; the server,
// when it renders a page, has to be given it.
import { Account, Avatars, Client, Databases, Storage } from 'appwrite'
import type { SiteSettings } from './site-settings.ts'

export type Api = {
  settings: SiteSettings
  client: Client
  account: Account
  avatars: Avatars
  databases: Databases
  storage: Storage
}

/**
 * @param origin the site's own origin; the API is under its `/v1`
 * @param cookie the visitor's cookies, only while the server renders for them
 */
export function makeApi(
  settings: SiteSettings,
  { origin, cookie }: { origin: string; cookie?: string },
): Api {
  const client = new Client().setEndpoint(`${origin}/v1`).setProject(settings.projectId)
  if (cookie) client.headers.cookie = cookie
  return {
    settings,
    client,
    account: new Account(client),
    avatars: new Avatars(client),
    databases: new Databases(client),
    storage: new Storage(client),
  }
}

/**
 * An address made by the client (`getFilePreview`, `getInitials`…) as a path of this site, so that
 * the page is the same under each host name of the server.
 */
export function pathOf(address: URL): string {
  return address.pathname + address.search
}
