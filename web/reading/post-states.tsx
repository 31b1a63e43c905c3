// What stands in place of a post: that it is loading, not found, or somebody else's.

import { Link } from 'react-router'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { BackButton } from './back-button.tsx'

export function PostLoading() {
  return (
    <>
      <PageTitle screen={texts.post.screen} />
      <h1 className="visually-hidden">{texts.post.screen}</h1>
      <div className="post-toolbar">
        <BackButton />
        <LoadingText>{texts.waiting.post}</LoadingText>
      </div>
      <div aria-hidden="true">
        <div className="featured-image skeleton" />
        <div className="post">
          <div className="skeleton skeleton--title" />
          <div className="post-meta">
            <div className="skeleton skeleton--avatar" />
            <div className="skeleton__lines">
              <div className="skeleton skeleton--small skeleton--9-rem" />
              <div className="skeleton skeleton--small skeleton--15-rem" />
            </div>
          </div>
          <div className="skeleton__text">
            <div className="skeleton skeleton--line" />
            <div className="skeleton skeleton--line skeleton--96-percent" />
            <div className="skeleton skeleton--line" />
            <div className="skeleton skeleton--line skeleton--62-percent" />
          </div>
        </div>
      </div>
    </>
  )
}

export function PostNotFound() {
  const { title, text } = texts.missingPost
  return <NoPost screen={texts.places.notFound} title={title} text={text} />
}

/** On the pages of an author alone: does not show the text (product.md §O24). */
export function ForeignPost() {
  return <NoPost {...texts.foreignPost} />
}

function NoPost({ screen, title, text }: { screen: string; title: string; text: string }) {
  return (
    <>
      <PageTitle screen={screen} />
      <MessageScreen
        art="searching"
        title={title}
        actions={
          <Link className={buttonClass('primary')} to="/post">
            {texts.places.allPosts}
          </Link>
        }
      >
        <p>{text}</p>
      </MessageScreen>
    </>
  )
}
