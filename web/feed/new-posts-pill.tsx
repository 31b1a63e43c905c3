// "3 new posts · Show", under the header or above the bottom bar.
import { ArrowUp } from 'lucide-react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'

export function NewPostsPill({ count, onShow }: { count: number; onShow: () => void }) {
  const what = texts.feed.newPosts(count)
  return (
    <div className="new-posts">
      <p className="visually-hidden" role="status">
        {count > 0 && what}
      </p>
      {count > 0 && (
        <Button kind="primary" className="btn--pill" onClick={onShow}>
          <ArrowUp className="icon icon--small" aria-hidden="true" />
          {texts.feed.showNew(what)}
        </Button>
      )}
    </div>
  )
}
