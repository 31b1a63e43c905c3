// The dialog for a link card: finds a post of this blog by its title or its address. The picture of
// the post is copied, so that the card stays as it is.

import { useEffect, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import { withStoredImage } from './card-image.ts'
import type { CardPost, FindPosts } from './card-posts.ts'
import type { StoreImage } from './store-image.ts'

type CardDialogProps = {
  findPosts: FindPosts
  storeImage: StoreImage
  onSave: (post: CardPost) => void
  onClose: () => void
}

const words = texts.cardDialog
/** A search starts when the writer pauses this long. */
const PAUSE_MS = 300

export function CardDialog({ findPosts, storeImage, onSave, onClose }: CardDialogProps) {
  const [typed, setTyped] = useState('')
  const [chosenPath, setChosenPath] = useState('')
  const [isSaving, setSaving] = useState(false)
  const found = useFoundPosts(findPosts, typed.trim())
  const posts = found?.posts ?? []
  const chosen = posts.find(({ path }) => path === chosenPath) ?? posts[0]

  async function save() {
    if (!chosen) return
    setSaving(true)
    onSave(await withStoredImage(chosen, storeImage))
  }
  return (
    <FormDialog
      title={words.title}
      submitLabel={words.insert}
      isSubmitDisabled={!chosen || isSaving}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        dir="auto"
        label={words.search}
        hint={words.hint}
        value={typed}
        onChange={setTyped}
      />
      {found?.hasFailed && <Alert kind="error">{words.failed}</Alert>}
      <p className="quiet unless-empty" role="status">
        {found && !found.hasFailed && posts.length === 0 && words.none}
      </p>
      {posts.length > 0 && (
        <fieldset className="card-list">
          <legend className="visually-hidden">{words.results}</legend>
          {posts.map(({ path, title, text }) => (
            <label key={path} className="option">
              <input
                className="option__mark"
                type="radio"
                name="card-post"
                checked={path === chosen?.path}
                onChange={() => setChosenPath(path)}
              />
              <span>
                <b dir="auto">{title}</b>
                <span className="quiet" dir="auto">
                  {text}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  )
}

type Found = { posts: CardPost[]; hasFailed: boolean }

/** Undefined while nothing was typed, and until the first answer. */
function useFoundPosts(findPosts: FindPosts, typed: string): Found | undefined {
  const [found, setFound] = useState<Found | undefined>()
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const result = typed === '' ? undefined : await findPosts(typed)
      if (!isCurrent) return
      setFound(result && { posts: result.ok ? result.value : [], hasFailed: !result.ok })
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [findPosts, typed])
  return found
}
