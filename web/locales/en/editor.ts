// English texts. The editor's own tools and dialogs: image, link, code.

export const editorTexts = {
  /** Tooltips of the tools; the editor adds the keys. */
  editorTools: { image: 'Image', link: 'Link', quote: 'Quote', code: 'Code sample' },
  /** In its menus, like the package's own items. */
  editorItems: {
    image: 'Image...',
    link: 'Link...',
    code: 'Code sample...',
    openLink: 'Open link',
    removeLink: 'Remove link',
  },
  imageDialog: {
    title: 'Picture',
    drop: 'Drop a picture here',
    choose: 'Choose a picture',
    chooseOther: 'Choose another picture',
    kinds: 'PNG, JPG, JPEG, GIF, WebP, AVIF or HEIC.',
    scaledTo: (pixels: number) => `scaled to ${pixels} px`,
    orPaste: (kinds: string) => `or choose one, or paste it into the text. ${kinds}`,
    useAddress: 'Use a URL instead',
    address: 'Image URL',
    addressStart: 'https://',
    addressHint: 'It stays on the other site and can disappear there.',
    preview: 'Preview of the picture',
    upload: 'Picture upload',
    alt: 'What is in the picture',
    altKind: 'alt text',
    altHint:
      'Read aloud to people who do not see it. Leave it empty if the picture only decorates.',
    caption: 'Caption',
    optional: 'optional',
    captionHint: 'Shown under the picture.',
    stored: 'Stored.',
    storedAs: (kind: string) => `Stored, converted to ${kind}.`,
    insert: 'Insert picture',
    insertLater: 'Insert after upload',
    save: 'Save picture',
    dropped: (progress: string) =>
      `The picture was not stored. The connection dropped at ${progress}.`,
    notStored: (reason: string) => `The picture was not stored. ${reason}`.trim(),
  },
  codeDialog: {
    title: 'Code sample',
    language: 'Language',
    code: 'Code',
    hint: 'Tab indents. Esc, then Tab leaves the field. Ctrl + Enter inserts.',
    insert: 'Insert code',
    save: 'Save code',
  },
  linkDialog: {
    title: 'Link',
    text: 'Text',
    address: 'URL',
    problem: 'This does not look like a URL. It begins with https:// or with /.',
    insert: 'Insert link',
    save: 'Save link',
    remove: 'Remove link',
  },
  mediaDialog: {
    title: 'Media',
    source: 'Source',
    hint: 'The address of a video at YouTube or Vimeo, or its embed code. Other addresses become links.',
    save: 'Save',
  },
}
