;;; kitsoki.el --- Stories of kitsoki in Eglot  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools

;;; Commentary:

;; The language server for stories, and only for them:
;;
;;   (require 'kitsoki)
;;   (add-hook 'yaml-mode-hook #'kitsoki-maybe)
;;   (add-hook 'yaml-ts-mode-hook #'kitsoki-maybe)
;;
;; A buffer belongs to a story when its text is a manifest, or when a folder above it holds a manifest `app.yaml'.  What a
;; manifest is, its text decides: an `app.yaml' of another tool is left alone.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'project)

(defgroup kitsoki nil
  "Stories of kitsoki."
  :group 'languages)

(defcustom kitsoki-command '("kitsoki" "lsp")
  "The program and its arguments."
  :type '(repeat string))

(defconst kitsoki--other-keys '("root" "states" "include" "imports" "intents" "phases" "meta_modes")
  "Keys of which a manifest has one beside `app'.")

(defun kitsoki--nested-p ()
  "Whether the next line that says something is indented."
  (save-excursion
    (forward-line 1)
    (while (and (not (eobp)) (looking-at-p "[ \t]*\\(#.*\\)?\r?$"))
      (forward-line 1))
    (looking-at-p "[ \t]+[^ \t\r\n]")))

(defun kitsoki-manifest-p ()
  "Whether the current buffer is the manifest of a story.
That is `app' with a mapping, beside another key of a story, and no kind of its own."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (let ((app nil) (other nil) (kind nil))
        (while (and (not kind)
                    (re-search-forward "^\ufeff?\\([A-Za-z_][A-Za-z0-9_]*\\)[ \t]*:\\(?:[ \t]+\\(.*\\)\\|[ \t]*\r?$\\)" nil t))
          (let ((key (match-string 1))
                (rest (replace-regexp-in-string "\\`&[^ \t]+[ \t]*" "" (string-trim (or (match-string 2) "")))))
            (cond
             ((string= key "app")
              (when (or (string-prefix-p "{" rest)
                        (and (or (string= rest "") (string-prefix-p "#" rest)) (kitsoki--nested-p)))
                (setq app t)))
             ((member key kitsoki--other-keys) (setq other t))
             ((member key '("test_kind" "kind")) (setq kind t)))))
        (and app other (not kind))))))

(defun kitsoki--manifest-file-p (file)
  "Whether FILE is a manifest."
  (and (file-regular-p file)
       (with-temp-buffer
         (insert-file-contents file)
         (kitsoki-manifest-p))))

(defun kitsoki-story-folder ()
  "The folder of the story that the current buffer belongs to, or nil."
  (when buffer-file-name
    (if (kitsoki-manifest-p)
        (file-name-directory buffer-file-name)
      (locate-dominating-file
       (file-name-directory buffer-file-name)
       (lambda (folder) (kitsoki--manifest-file-p (expand-file-name "app.yaml" folder)))))))

(defun kitsoki--project (_folder)
  "The story of the current buffer as a project."
  (when-let ((folder (kitsoki-story-folder)))
    (cons 'kitsoki (expand-file-name folder))))

(cl-defmethod project-root ((project (head kitsoki)))
  "The folder of the story PROJECT."
  (cdr project))

;;;###autoload
(defun kitsoki-maybe ()
  "Start the language server when the current buffer belongs to a story."
  (when (kitsoki-story-folder)
    (add-hook 'project-find-functions #'kitsoki--project -10 t)
    (setq-local eglot-server-programs
                (cons (cons '(yaml-mode yaml-ts-mode) kitsoki-command) eglot-server-programs))
    (eglot-ensure)))

(defun kitsoki--flow-command ()
  "The line that runs the flow of the current buffer."
  (let ((folder (or (kitsoki-story-folder) (user-error "This flow belongs to no story")))
        ;; A pattern: what has a meaning in one stands for any letter.
        (flow (replace-regexp-in-string "[][*?{},]" "?" buffer-file-name t t)))
    (mapconcat #'shell-quote-argument
               (list (car kitsoki-command) "test" "flows" (expand-file-name "app.yaml" folder) "--flows" flow)
               " ")))

(defun kitsoki-run-flow ()
  "Run the flow of the current buffer."
  (interactive)
  (save-buffer)
  (compile (kitsoki--flow-command)))

(provide 'kitsoki)
;;; kitsoki.el ends here
