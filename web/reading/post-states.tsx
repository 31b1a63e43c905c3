// The post page without a post: on its way, or not there.

import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { BackButton } from './back-button.tsx'

export function PostOnItsWay() {
  const { settings } = useApi()
  return (
    <>
      <PageTitle screen={texts.post.screen} site={settings.siteName} />
      <h1 className="vh">{texts.post.screen}</h1>
      <div className="bar">
        <BackButton />
        <LoadingText>{texts.waiting.post}</LoadingText>
      </div>
      <div aria-hidden="true">
        <div className="hero sk" />
        <div className="post">
          <div className="sk sk--title" />
          <div className="meta">
            <div className="sk sk--face" />
            <div className="sk__lines">
              <div className="sk sk--s sk--9r" />
              <div className="sk sk--s sk--15r" />
            </div>
          </div>
          <div className="sk__text">
            <div className="sk sk--t" />
            <div className="sk sk--t sk--96" />
            <div className="sk sk--t" />
            <div className="sk sk--t sk--62" />
          </div>
        </div>
      </div>
    </>
  )
}

export function PostNotHere() {
  const { settings } = useApi()
  return (
    <>
      <PageTitle screen={texts.places.notFound} site={settings.siteName} />
      <MessageScreen
        art="searching"
        title={texts.missingPost.title}
        actions={
          <Link className={buttonClass('primary')} to="/post">
            {texts.places.allPosts}
          </Link>
        }
      >
        <p>{texts.missingPost.text}</p>
      </MessageScreen>
    </>
  )
}
