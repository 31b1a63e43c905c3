// A program that renders on its server: the API key signs people up and in, the program stores the
// secret of the session in a cookie, and each request creates a client of its own with it. The
// author is `authorId`. It uses the newest server package.
import { Account, Client, Databases, ID, Query, Storage, Users } from 'node-appwrite'
import { InputFile } from 'node-appwrite/file'
import type { Article, Program, ProgramConfig } from './program.ts'

type Post = { $id: string; title: string; content: string; featuredImage: string; authorId: string }

/** What the pages share. The secret of the session is in a cookie of the program. */
function connect(config: ProgramConfig) {
  const { databaseId, collectionId, bucketId } = config
  const browser = { cookie: '' }
  const plain = () => new Client().setEndpoint(config.endpoint).setProject(config.projectId)
  const admin = () => plain().setKey(config.apiKey)
  const session = () => {
    if (!browser.cookie) throw new Error('No session')
    return plain().setSession(browser.cookie)
  }
  const databases = () => new Databases(browser.cookie ? session() : plain())
  const posts = { databaseId, collectionId }
  const currentUser = async () => {
    try {
      const user = await new Account(session()).get()
      return { id: user.$id, name: user.name }
    } catch {
      return null
    }
  }
  const read = async (documentId: string) => {
    try {
      return await databases().getDocument({ ...posts, documentId })
    } catch {
      return null
    }
  }
  const list = async (queries: string[]) =>
    (await databases().listDocuments({ ...posts, queries })).documents.map((one) => show(one))
  const show = (document: object): Article => {
    const { $id, title, content, featuredImage, authorId } = document as Post
    const at = `${config.endpoint}/storage/buckets/${bucketId}/files/${featuredImage}`
    return {
      id: $id,
      title: title,
      markdown: content,
      authorId: authorId,
      tags: [],
      cover: featuredImage ? `${at}/view?project=${config.projectId}` : undefined,
    }
  }
  const upload = async (image: Parameters<Program['publish']>[0]['image']) =>
    image &&
    (await new Storage(session()).createFile({
      bucketId,
      fileId: ID.unique(),
      file: InputFile.fromBuffer(image.bytes, image.name),
    }))
  return { browser, admin, session, databases, posts, currentUser, read, list, show, upload }
}

export function openServerBlog(config: ProgramConfig): Program {
  const { browser, admin, session, databases, posts, ...rest } = connect(config)
  const { currentUser, read, list, show, upload } = rest
  return {
    currentUser,
    async signUp({ name, email, password }) {
      const { $id } = await new Users(admin()).create({
        userId: ID.unique(),
        email,
        password,
        name,
      })
      const session = await new Account(admin()).createEmailPasswordSession({ email, password })
      if (session.userId !== $id || !session.secret) throw new Error('The sign-in gave no session')
      browser.cookie = session.secret
    },
    async publish({ title, slug, markdown, image, isDraft = false }) {
      const file = await upload(image)
      const document = await databases().createDocument({
        ...posts,
        documentId: slug,
        data: {
          title: title,
          content: markdown,
          featuredImage: file?.$id ?? null,
          status: isDraft ? 'inactive' : 'active',
          authorId: (await currentUser())?.id,
        },
      })
      return document.$id
    },
    async read(key) {
      const post = await read(key)
      return post && show(post)
    },
    feed: () => list([Query.equal('status', 'active'), Query.orderDesc('$createdAt')]),
    mine: async () => list([Query.equal('authorId', (await currentUser())?.id ?? 'nobody')]),
    async edit(documentId, { title, markdown, image, isDraft }) {
      const file = await upload(image)
      await databases().updateDocument({
        ...posts,
        documentId,
        data: {
          title: title,
          content: markdown,
          featuredImage: file?.$id,
          status: isDraft === undefined ? undefined : isDraft ? 'inactive' : 'active',
        },
      })
    },
    async remove(documentId) {
      await databases().deleteDocument({ ...posts, documentId })
    },
    async signOut() {
      await new Account(session()).deleteSession({ sessionId: 'current' })
      browser.cookie = ''
    },
  }
}
