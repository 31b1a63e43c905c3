// For tests: the post form without its screen. Typing sets the text of the editor; calls are faked.
import type { PostDocument } from '#contract/posts.ts'
import { type Api, type Failure, succeed } from '../../api/client.ts'
import { handleTyping, type OpenForm } from '../open-form.ts'
import { createOpenForm } from '../use-post-form.ts'
import { makeCalls } from './fake-calls.ts'

type FakeFormOptions = {
  opened?: PostDocument
  /** The failures of the saving calls, in order; further calls succeed. */
  save?: Failure[]
  /** The post on the server. */
  stored?: PostDocument
}

/** A form of alice, which records its calls, toasts and navigations. */
export function createFakeForm({ opened, ...answers }: FakeFormOptions = {}) {
  const { calls, log } = makeCalls(answers)
  const toasts: string[] = []
  const paths: unknown[] = []
  const context = {
    api: { settings: { contentBucketId: 'content' } } as Api,
    userId: 'alice',
    toasts: { show: ({ text }: { text: string }) => void toasts.push(text) },
    navigate: async (to: unknown) => void paths.push(to),
    onStored: () => {},
  }
  const form: OpenForm = createOpenForm(opened, context, calls)
  const editor = { html: opened?.content ?? '' }
  form.editor.current = {
    read: async () => succeed(editor.html),
    peek: () => editor.html,
    write: (html) => {
      editor.html = html
    },
    merge: async () => undefined,
    reloadImages: () => {},
    focus: () => {},
  }
  return {
    form,
    log,
    toasts,
    paths,
    editor,
    type(html: string) {
      editor.html = html
      handleTyping(form)
    },
    /** Waits until a save that was requested has ended. */
    async whenSaved() {
      await new Promise<void>((resolve) => {
        const check = () => {
          if (!form.getState().isSaving) resolve()
        }
        form.subscribe(check)
        check()
      })
    },
  }
}
