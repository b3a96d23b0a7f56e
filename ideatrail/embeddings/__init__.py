"""Texts as unit vectors, by a model that lies in a local folder.

Nothing is downloaded and nothing is imported before it is needed: who names no model folder needs
neither onnxruntime nor torch.
"""
