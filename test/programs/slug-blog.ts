// A single-page program with one service class for posts and files: the slug is the id of the
// document, the author is sent as `userId`, the cover as the id of a file that is uploaded first
// and deleted by the program itself. Arguments are positional, as in clients before version 19.
import type { Account, Client, Databases, Storage } from 'appwrite-newest'
import { captureCookie } from '#test/support/clients.ts'
import type { Article, Draft, Program, ProgramConfig } from './program.ts'

type Post = { title: string; content: string; featuredImage: string; userId: string; $id: string }

type Sdk = typeof import('appwrite-newest')

class Service {
  sdk: Sdk
  client: Client
  account: Account
  databases: Databases
  bucket: Storage
  config: ProgramConfig

  constructor(sdk: Sdk, config: ProgramConfig) {
    const { Account, Client, Databases, Storage } = sdk
    this.sdk = sdk
    this.config = config
    this.client = new Client()
    this.client.setEndpoint(config.endpoint).setProject(config.projectId)
    this.account = new Account(this.client)
    this.databases = new Databases(this.client)
    this.bucket = new Storage(this.client)
  }

  upload(image: Draft['image']) {
    if (!image) return null
    const file = new File([new Uint8Array(image.bytes)], image.name, { type: image.type })
    return this.bucket.createFile(this.config.bucketId, this.sdk.ID.unique(), file)
  }

  async deleteFile(id: string) {
    try {
      await this.bucket.deleteFile(this.config.bucketId, id)
      return true
    } catch {
      return false
    }
  }

  list(queries: string[]) {
    const { databaseId, collectionId } = this.config
    return this.databases.listDocuments(databaseId, collectionId, queries)
  }

  show(document: object): Article {
    const { $id, title, content, featuredImage, userId } = document as Post
    const cover = featuredImage && this.bucket.getFilePreview(this.config.bucketId, featuredImage)
    return {
      id: $id,
      title,
      markdown: content,
      authorId: userId,
      tags: [],
      cover: cover ? String(cover) : undefined,
    }
  }
}

export function openSlugBlog(sdk: Sdk, config: ProgramConfig): Program {
  const { ID, Query } = sdk
  const service = new Service(sdk, config)
  const { account, databases } = service
  const { databaseId, collectionId } = config
  const currentUser: Program['currentUser'] = async () => {
    try {
      const user = await account.get()
      return { id: user.$id, name: user.name }
    } catch {
      return null
    }
  }
  const readPost = async (slug: string) => {
    try {
      return await databases.getDocument(databaseId, collectionId, slug)
    } catch {
      return null
    }
  }
  return {
    currentUser,
    async signUp({ name, email, password }) {
      await account.create(ID.unique(), email, password, name)
      await captureCookie(service.client.headers, () =>
        account.createEmailPasswordSession(email, password),
      )
    },
    async publish({ title, slug, markdown, image, isDraft = false }) {
      const file = await service.upload(image)
      const post = await databases.createDocument(databaseId, collectionId, slug, {
        title,
        content: markdown,
        featuredImage: file?.$id,
        status: isDraft ? 'inactive' : 'active',
        userId: (await currentUser())?.id,
      })
      return post.$id
    },
    async read(slug) {
      const post = await readPost(slug)
      return post && service.show(post)
    },
    async feed() {
      const queries = [Query.equal('status', ['active']), Query.orderDesc('$createdAt')]
      return (await service.list(queries)).documents.map((post) => service.show(post))
    },
    async mine() {
      const user = await currentUser()
      const { documents } = await service.list([Query.equal('userId', user?.id ?? '')])
      return documents.map((post) => service.show(post))
    },
    async edit(slug, { title, markdown, image, isDraft }) {
      const before = (await readPost(slug)) as Post | null
      const file = await service.upload(image)
      // The old image is deleted first, while the post still shows it.
      if (file && before?.featuredImage) await service.deleteFile(before.featuredImage)
      await databases.updateDocument(databaseId, collectionId, slug, {
        title,
        content: markdown,
        featuredImage: file ? file.$id : undefined,
        status: isDraft === undefined ? undefined : isDraft ? 'inactive' : 'active',
      })
    },
    async remove(slug) {
      const post = (await readPost(slug)) as Post | null
      await databases.deleteDocument(databaseId, collectionId, slug)
      if (post?.featuredImage && !(await service.deleteFile(post.featuredImage)))
        throw new Error('The image of the post could not be deleted')
    },
    async signOut() {
      await account.deleteSessions()
    },
  }
}
