// The content field of the post form: a frame of the editor's size until the editor is loaded.

import { CircleAlert } from 'lucide-react'
import { type ComponentType, type Ref, useCallback, useEffect, useState } from 'react'
import type { ContentEditorProps, EditorHandle } from '../editor/editor.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { useImageStore } from './use-image-store.ts'

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
