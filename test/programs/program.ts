// The interface of the programs in this folder. They are written as other authors write blogs for
// the hosted API: only the endpoint and the ids refer to this server.
import type { ImageFile } from '#test/support/clients.ts'

export type Draft = {
  title: string
  /** Each program stores it in its own way. */
  slug: string
  markdown: string
  image?: ImageFile
  tags?: string[]
  isDraft?: boolean
}
export type Article = {
  id: string
  title: string
  markdown: string
  authorId: string
  /** An address that a page would put into `<img>`. */
  cover: string | undefined
  tags: string[]
}
export type Login = { name: string; email: string; password: string }

/** The program in one browser. */
export type Program = {
  /** Signs in, too. */
  signUp(login: Login): Promise<void>
  /** null for a guest, whatever the server answers. */
  currentUser(): Promise<{ id: string; name: string } | null>
  /** @returns the key in the address of the post's page */
  publish(draft: Draft): Promise<string>
  read(key: string): Promise<Article | null>
  /** Newest first. */
  feed(): Promise<Article[]>
  mine(): Promise<Article[]>
  edit(key: string, changes: Partial<Omit<Draft, 'slug'>>): Promise<void>
  remove(key: string): Promise<void>
  signOut(): Promise<void>
}

/** The settings of such a program. */
export type ProgramConfig = {
  endpoint: string
  projectId: string
  databaseId: string
  collectionId: string
  bucketId: string
  /** Only programs that render on their server have one. */
  apiKey: string
}
