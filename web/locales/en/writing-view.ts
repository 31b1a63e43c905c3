// English texts. The view of a post's form that shows only its title and its text.

export const writingViewTexts = {
  writingView: {
    /** Shown in the text while it is empty. */
    invitation: 'Write, or type / for more',
    hint: 'Type / for more',
    minutes: (count: number) => `${count} min read`,
    fullToolbar: 'Full toolbar',
    fullToolbarKeys: 'Full toolbar (Alt + F10)',
    focus: 'Focus',
    focusKeys: 'Focus (Ctrl + Shift + F)',
    endFocus: 'Esc ends focus',
    menu: 'More',
    publish: 'Publish …',
    allFields: 'All fields',
    keys: 'Keyboard help',
    smartQuotes: 'Smart quotes',
    contents: 'Contents',
    contentsOfText: 'Contents of the text',
    words: (count: number) => (count === 1 ? '1 word' : `${count} words`),
  },
  /** The quotes of this language. */
  smartQuotes: {
    double: { opening: '“', closing: '”' },
    single: { opening: '‘', closing: '’' },
  },
}
