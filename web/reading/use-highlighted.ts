// The code of a text that was not saved, highlighted by the server as if it were. Until the answer
// has come, and without one, the text is as it is.
import { useEffect, useState } from 'react'
import { useApi } from '../api/api-context.tsx'
import { findHighlighted } from '../posts/page-api.ts'

export function useHighlighted(html: string): string {
  const api = useApi()
  const [shown, setShown] = useState({ html, highlighted: html })
  useEffect(() => {
    let isCurrent = true
    const text = parse(html)
    const samples = samplesOf(text)
    if (samples.length === 0) return
    // The samples alone: the text around them may hold images that are not stored yet.
    const code = samples.map(({ outerHTML }) => outerHTML).join('')
    void findHighlighted(api, code).then((answer) => {
      const highlighted = answer === undefined ? [] : samplesOf(parse(answer))
      if (!isCurrent || highlighted.length !== samples.length) return
      for (const [at, sample] of samples.entries())
        sample.innerHTML = highlighted[at]?.innerHTML ?? ''
      setShown({ html, highlighted: text.innerHTML })
    })
    return () => {
      isCurrent = false
    }
  }, [api, html])
  return shown.html === html ? shown.highlighted : html
}

/** In a template nothing is loaded and nothing runs. */
function parse(html: string): HTMLTemplateElement {
  const template = document.createElement('template')
  template.innerHTML = html
  return template
}

function samplesOf({ content }: HTMLTemplateElement): Element[] {
  return Array.from(content.querySelectorAll('pre')).filter((pre) =>
    pre.matches('[class*="language-"], :has(> [class*="language-"])'),
  )
}
