// The content field of the post form: a frame of the editor's size until the editor is loaded.

import { CircleAlert } from 'lucide-react'
import { type ComponentType, type Ref, useCallback, useEffect, useState } from 'react'
import { useApi } from '../api/api-context.tsx'
import { fail, type Result, succeed } from '../api/result.ts'
import type { ContentEditorProps, EditorHandle } from '../editor/editor.tsx'
import { measureImage, withHints } from '../files/body-image.ts'
import { uploadImage, viewPath } from '../files/files-api.ts'
import { findImageProblem } from '../files/image-rules.ts'
import { keepImage } from '../files/kept-images.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { CONTENT_IMAGE_LIMIT } from './image-limit.ts'
import { imageFailureText } from './save-failure.ts'

type ContentFieldProps = {
  userId: string
  ref: Ref<EditorHandle>
  initialHtml: string
  isReadOnly: boolean
  error: string | undefined
  onChange: () => void
}

export function ContentField({
  userId,
  ref,
  initialHtml,
  isReadOnly,
  error,
  onChange,
}: ContentFieldProps) {
  const { Loaded, hasFailed, retry } = useEditor()
  const storeImage = useImageStore(userId)
  return (
    <div className="field">
      <span className="label">{texts.postFields.content}</span>
      {Loaded ? (
        <Loaded
          ref={ref}
          id="content"
          initialHtml={initialHtml}
          isReadOnly={isReadOnly}
          storeImage={storeImage}
          onChange={onChange}
        />
      ) : (
        <div className="editor editor--loading">
          {hasFailed ? (
            <>
              <p role="alert">{texts.editor.failed}</p>
              <Button onClick={retry}>{texts.actions.tryAgain}</Button>
            </>
          ) : (
            <LoadingText>{texts.editor.loading}</LoadingText>
          )}
        </div>
      )}
      <p className="hint">{texts.editor.toolbarHint}</p>
      {error && (
        <p className="field-error" id="content-error">
          <CircleAlert className="icon icon--small" aria-hidden="true" />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
}

/**
 * Loads the editor after the form is on screen: it needs a browser, and it is larger than all other
 * code together.
 */
function useEditor() {
  const [Loaded, setLoaded] = useState<ComponentType<ContentEditorProps> | undefined>()
  const [hasFailed, setFailed] = useState(false)
  const load = useCallback(() => {
    setFailed(false)
    import('../editor/editor.tsx').then(
      ({ ContentEditor }) => setLoaded(() => ContentEditor),
      () => setFailed(true),
    )
  }, [])
  useEffect(load, [load])
  return { Loaded, hasFailed, retry: load }
}

/** Stores an image of the text as a file, keeps it on the device, and answers its path. */
function useImageStore(userId: string): (file: File) => Promise<Result<string>> {
  const api = useApi()
  return useCallback(
    async (file) => {
      const problem = findImageProblem(file, CONTENT_IMAGE_LIMIT)
      if (problem) return fail({ message: problem, code: 400, type: '' })
      const bucketId = api.settings.contentBucketId
      const stored = await uploadImage(api, bucketId, { file })
      if (!stored.ok) return fail({ ...stored.failure, message: imageFailureText(stored.failure) })
      const fileId = stored.value.$id
      await keepImage({ userId, fileId, file })
      const path = viewPath(api, bucketId, fileId)
      return succeed(withHints(path, await measureImage(file)))
    },
    [api, userId],
  )
}
